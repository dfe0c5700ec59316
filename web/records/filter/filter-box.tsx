import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CornerDownLeft } from 'lucide-react'
import { type CSSProperties, useEffect, useEffectEvent, useId, useState } from 'react'
import { asSearch, type Fault } from '../../../contract/filter/index.ts'
import { knownUsersQuery } from '../../users/users.ts'
import { shownLanguage } from '../data/value-text.ts'
import css from './filter-box.module.css'
import { Faults } from './filter-text.tsx'
import { faultsIn, read, useIsOther, useScope } from './tree.ts'
import { underline, useEditor } from './use-editor.ts'
import { replacing } from './values/words.ts'

type Props = {
  object: string
  /** The applied filter, with which the box starts. A `key` gives it another text later. */
  value: string
  /** Enter, when nothing is wrong. */
  onChange: (text: string) => void
  /** Enter, when the text is no filter but words to search for. Left out: such a text is an error. */
  onSearch?: (filter: string) => void
  /** Every change of the text, right or wrong. */
  onDraft?: (text: string) => void
  /** Drafts are acted on, so there is nothing to apply. */
  isLive?: boolean
  /** Escape. */
  onLeave?: () => void
  autoFocus?: boolean
  hint?: string
}

/** So that a word is not called wrong while it is being typed. */
const pauseMs = 500

/** A filter as text, with colors, completion, and errors under the word. What is typed is a draft until Enter. */
export function FilterBox(props: Props) {
  const { object, value, onChange, onSearch, onDraft, isLive, onLeave, autoFocus = false, hint } = props
  const scope = useScope(object)
  const isOther = useIsOther()
  const searchIn = (text: string) => onSearch && asSearch(text, scope)
  const wrongIn = async (text: string, signal?: AbortSignal) =>
    isOther ? read(text, scope).faults : faultsIn(text, scope, signal)
  const { data: users } = useQuery(knownUsersQuery)
  const active = [...(users?.values() ?? [])].filter(({ state }) => state !== 'deactivated')
  const [draft, setDraft] = useState(value)
  const [faults, setFaults] = useState<Fault[]>([])
  const id = useId()
  const described: Record<string, string> = faults.length ? { 'aria-describedby': id, 'aria-invalid': 'true' } : {}

  const { host, view } = useEditor({
    initial: value,
    scope: {
      ...scope,
      users: active.map(({ name, email }) => ({ name, email: email ?? name })),
      language: shownLanguage(),
    },
    attributes: {
      'aria-label': 'Filter',
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
      ...described,
    },
    hint: hint ?? 'Type words to search for, or a filter such as status = active',
    autoFocus,
    onTyped: (text) => {
      setDraft(text)
      setFaults((old) => (old.length ? [] : old))
      onDraft?.(text)
    },
    onEnter: (text) => void apply(text),
    onEscape: () => {
      view?.contentDOM.blur()
      onLeave?.()
    },
  })

  const check = useEffectEvent(async (text: string, signal: AbortSignal) =>
    searchIn(text) ? [] : wrongIn(text, signal),
  )
  useEffect(() => {
    const superseded = new AbortController()
    const timer = setTimeout(async () => {
      const wrong = await check(draft, superseded.signal)
      if (!superseded.signal.aborted) setFaults(wrong)
    }, pauseMs)
    return () => {
      superseded.abort()
      clearTimeout(timer)
    }
  }, [draft])

  async function apply(text: string) {
    const search = searchIn(text)
    if (search) return onSearch?.(search)
    const wrong = await wrongIn(text)
    if (!wrong.length) return onChange(text)
    if (view?.state.doc.toString() !== text) return
    setFaults(wrong)
    const { offset, length } = wrong[0]!.at ?? { offset: text.length, length: 0 }
    view.dispatch({ selection: { anchor: Math.min(offset + length, text.length) }, scrollIntoView: true })
  }

  function pick(fault: Fault, name: string) {
    if (!view) return
    const change = replacing(view.state.doc.toString(), fault, name)
    view.dispatch({ changes: change, selection: { anchor: change.from + change.insert.length } })
    view.focus()
  }

  useEffect(() => {
    if (view) underline(view, faults)
  }, [view, faults])

  const { ref: said, height } = useElementSize()
  return (
    <div style={{ '--said': `${height && height + 6}px` } as CSSProperties}>
      <div className={css.box} data-invalid={faults.length > 0 || undefined}>
        <div ref={host} className={css.editor} />
        {draft.trim() !== value.trim() && !isLive && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<CornerDownLeft size={13} />}
            onClick={() => void apply(draft)}
          >
            Apply
          </Button>
        )}
      </div>
      <div ref={said} className={css.said}>
        {searchIn(draft) && <p className={css.hint}>Enter searches for “{draft.trim()}” in all text.</p>}
        <Faults id={id} faults={faults} onPick={pick} />
      </div>
    </div>
  )
}
