import css from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

type Props = {
  code: string
  /** What it is: the name of the copy button. */
  what: string
  /** Shown above, such as the file it belongs in. */
  caption?: string
  onCopied?: () => void
}

/** Lines for a machine, exactly as they are to be pasted. */
export const CodeBlock = ({ code, what, caption, onCopied }: Props) => (
  <div className={css.block}>
    <div className={css.bar}>
      <span>{caption ?? what}</span>
      <CopyButton value={code} what={what} variant="subtle" color="gray" onCopied={onCopied} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </div>
)
