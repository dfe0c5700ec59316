import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CornerDownLeft } from 'lucide-react'
import { type CSSProperties, startTransition, useEffect, useId, useRef, useState } from 'react'
import { complete, type Fault, hasFaults, parse } from '../../../contract/filter/index.ts'
import { whenIdle } from '../../ui/when-idle.ts'
import { knownUsersQuery } from '../users.ts'
import { shownLanguage } from '../value-text.ts'
import { replacing } from './apply-name.ts'
import { Faults } from './faults.tsx'
import type { FilterBoxProps, Typed } from './filter-box.tsx'
import css from './filter-editor.module.css'
import { read, unknownNames } from './read.ts'
import { useScope } from './scope.ts'
import { underline, useEditor } from './use-editor.ts'
import { type Draft, useReading } from './use-reading.ts'

/** The filter as text. What one types is a draft until Enter. */
export default function FilterEditor({ typed, ...props }: FilterBoxProps & { typed?: Typed }) {
  const { object, value, onChange, onValid, onDraft, onLeave, isLive, autoFocus = false } = props
  const { label = 'Filter', hint = 'Type a filter, such as status = active' } = props
  const scope = useScope(object)
  const { data: users } = useQuery(knownUsersQuery)
  const named = [...(users?.values() ?? [])].filter(({ state }) => state !== 'deactivated')
  const known = named.map(({ name, email }) => ({ name, email: email ?? name }))
  const [draft, setDraft] = useState<Draft>(typed ?? { text: value, cursor: -1 })
  const sent = useRef(typed ? [value, typed.text] : [])
  const id = useId()

  const remember = (text: string) => {
    sent.current = [...sent.current.slice(-50), text]
  }
  const tell = (text: string, to: ((text: string) => void) | undefined) => {
    if (!to || text === value) return
    remember(text)
    to(text)
  }
  // What is done for the first time takes longest: not with the first key, then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => whenIdle(() => void complete('a', 1, { ...scope, users: known, language: shownLanguage() })), [])
  const { faults, show } = useReading(draft, scope, (text) => tell(text, onValid))
  const described: Record<string, string> = faults.length ? { 'aria-describedby': id, 'aria-invalid': 'true' } : {}

  const { host, view } = useEditor({
    value,
    typed,
    scope: { ...scope, users: known, language: shownLanguage() },
    attributes: { 'aria-label': label, spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off', ...described },
    hint,
    autoFocus,
    // Names that do not exist are no reason to go on: Enter says so.
    isWhole: (text) => !hasFaults(parse(text)),
    onTyped: (text, cursor) => {
      // The editor shows the text by itself: what else comes of it waits for the key.
      startTransition(() => setDraft({ text, cursor }))
      show((old) => (old.length ? [] : old))
      if (onDraft) remember(text)
      onDraft?.(text)
    },
    onEnter: (text) => void apply(text),
    onEscape: () => {
      view?.contentDOM.blur()
      onLeave?.()
    },
    onBlur: () => {
      const left = read(view?.state.doc.toString() ?? value, scope)
      // What only the server knows stays: a click on a name it suggests comes through here.
      if (left.faults.length) show(left.faults)
    },
  })

  async function apply(text: string) {
    const reading = read(text, scope)
    const wrong = reading.faults.length ? reading.faults : await unknownNames(reading)
    show(wrong)
    // After the key itself: whoever types on is not held up by what it sets going.
    if (!wrong.length) return void setTimeout(() => tell(text, onChange))
    const { offset, length } = wrong[0]!.at ?? { offset: text.length, length: 0 }
    if (view?.state.doc.toString() !== text) return
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

  useEffect(() => {
    if (!view) return
    // What comes back is what was sent from here, perhaps late: it must not overwrite what was typed since.
    const own = sent.current.lastIndexOf(value)
    sent.current = own < 0 ? [] : sent.current.slice(own + 1)
    const text = view.state.doc.toString()
    if (own < 0 && text !== value) view.dispatch({ changes: { from: 0, to: text.length, insert: value } })
  }, [view, value])

  const { ref: said, height } = useElementSize()
  return (
    <div style={{ '--said': `${height && height + 6}px` } as CSSProperties}>
      <div className={css.box} data-invalid={faults.length > 0 || undefined}>
        <div ref={host} className={css.editor} />
        {draft.text.trim() !== value.trim() && !isLive && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<CornerDownLeft size={13} aria-hidden="true" />}
            onClick={() => void apply(view?.state.doc.toString() ?? draft.text)}
          >
            Apply
          </Button>
        )}
      </div>
      <div ref={said} className={css.said}>
        <Faults id={id} faults={faults} onPick={pick} />
      </div>
    </div>
  )
}
