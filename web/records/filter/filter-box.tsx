import { type KeyboardEvent, useEffect, useRef } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import css from './filter-editor.module.css'

export type FilterBoxProps = {
  object: string
  /** The filter that holds, as text. */
  value: string
  /** Enter, when nothing is wrong. */
  onChange: (text: string) => void
  /** Also while typing, after a pause, when nothing is wrong. */
  onValid?: (text: string) => void
  /** Every change of the text, right or wrong. */
  onDraft?: (text: string) => void
  /** Whoever hears of drafts acts on them: nothing waits for Enter. */
  isLive?: boolean
  /** Escape. */
  onLeave?: () => void
  autoFocus?: boolean
  /** Its name for those who do not see it. */
  label?: string
  hint?: string
}

/** What stands in the box before the editor is there. `entered`: as it was when Enter was pressed. */
export type Typed = { text: string; cursor: number; hasFocus: boolean; entered: string | undefined }

/**
 * A filter as text, with colours, completion, and faults under the very word. The editor is fetched when first drawn;
 * until then a plain field stands in, and the editor goes on with what was typed there.
 */
export const FilterBox = lazyPart<FilterBoxProps & { typed?: Typed }>(() => import('./filter-editor.tsx'), {
  waiting: (props, { isMissing, hand }) => (
    <WaitingBox {...props} isMissing={isMissing} onHand={(read) => hand(() => ({ typed: read() }))} />
  ),
  isQuiet: true,
})

type WaitingProps = FilterBoxProps & { isMissing: boolean; onHand: (read: () => Typed) => void }

function WaitingBox({ isMissing, onHand, ...props }: WaitingProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const entered = useRef<string>(undefined)
  useEffect(() => {
    const at = field.current
    if (at) onHand(() => standing(at, entered.current))
  })
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') props.onLeave?.()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    entered.current = event.currentTarget.value
  }
  return (
    <div className={css.box} aria-busy="true">
      <textarea
        ref={field}
        className={css.waiting}
        aria-label={props.label ?? 'Filter'}
        rows={1}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: whoever asked for the text types at once
        autoFocus={props.autoFocus}
        defaultValue={props.value}
        onFocus={({ currentTarget: at }) => at.setSelectionRange(at.value.length, at.value.length)}
        onChange={(event) => props.onDraft?.(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isMissing && <p role="status">The filter applies when the connection is back.</p>}
    </div>
  )
}

const standing = (field: HTMLTextAreaElement, entered: string | undefined): Typed => ({
  text: field.value,
  cursor: field.selectionEnd,
  hasFocus: document.activeElement === field,
  entered,
})
