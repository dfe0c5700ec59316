import { type FC, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useConnected } from '../../connection.ts'
import { fetchPart } from '../../ui/lazy-part.tsx'
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

/** What stands in the box before the editor is there. */
export type Typed = { text: string; cursor: number; hasFocus: boolean; isEntered: boolean }

type Editor = FC<FilterBoxProps & { typed?: Typed }>
let fetched: Editor | undefined

/** Fetches the editor ahead, so that it stands there with the click. */
export async function fetchFilterBox() {
  fetched ??= (await fetchPart(() => import('./filter-editor.tsx'))).default
  return fetched
}

/**
 * A filter as text, with colours, completion, and faults under the very word. The editor is fetched when first drawn;
 * until then a plain field stands in, and the editor goes on with what was typed there.
 */
export function FilterBox(props: FilterBoxProps) {
  const [{ Editor, typed }, keep] = useState<{ Editor?: Editor; typed?: Typed }>({ Editor: fetched })
  const isOnline = useConnected()
  const [isMissed, setMissed] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isEntered = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed is fetched again with the connection
  useEffect(() => {
    if (Editor) return
    fetchFilterBox().then(
      (found) => keep({ Editor: found, typed: standing(field.current, isEntered.current) }),
      () => setMissed(true),
    )
  }, [Editor, isOnline])
  if (Editor) return <Editor {...props} typed={typed} />
  const press = (event: KeyboardEvent) => {
    isEntered.current = event.key === 'Enter' && !event.shiftKey
    if (isEntered.current) event.preventDefault()
    if (event.key === 'Escape') props.onLeave?.()
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
      {isMissed && <p role="status">The filter applies when the connection is back.</p>}
    </div>
  )
}

function standing(field: HTMLTextAreaElement | null, isEntered: boolean): Typed | undefined {
  if (!field) return undefined
  const hasFocus = document.activeElement === field
  return { text: field.value, cursor: field.selectionEnd, hasFocus, isEntered }
}
