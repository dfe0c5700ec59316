import { ActionIcon, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import css from './copy-code.module.css'
import { useCopy } from './use-copy.ts'

type Props = { value: string; what: string; whole?: boolean; onCopied?: () => void }

/** A value to hand on by machine: monospace, shortened to the eye unless it is wanted whole, copied in full. */
export function CopyCode({ value, what, whole, onCopied }: Props) {
  const { outcome, copy } = useCopy(value, onCopied)
  const label = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select it and copy by hand' : `Copy ${what}`
  return (
    <span className={css.code} data-whole={whole || undefined}>
      <code title={whole ? undefined : value}>{value}</code>
      <Tooltip label={label} openDelay={300}>
        <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={`Copy ${value}`}>
          {outcome === 'copied' ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
        </ActionIcon>
      </Tooltip>
    </span>
  )
}
