import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListFilter, TextCursorInput } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { say } from '../../ui/notices.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { useSchema } from '../schema.ts'
import css from './filter-bar.module.css'
import { FilterBox } from './filter-box.tsx'
import { FilterChips } from './filter-chips.tsx'
import { hasIds, namedTextQuery } from './named-text.ts'
import { hearFilter } from './open-filter.ts'
import { read } from './read.ts'
import { filterObjects } from './scope.ts'
import { useShownText } from './shown-text.ts'

type Props = {
  object: string
  /** The filter as text; empty for every record. */
  value: string
  onChange: (text: string) => void
}

/** A filter as chips or as text: two views of one tree. */
export function FilterBar({ object, value: given, onChange: tell }: Props) {
  const [value, onChange] = useShownText(given, tell)
  const objects = filterObjects(useSchema())
  const scope = useMemo(() => ({ objects, root: object }), [objects, object])
  const { filter } = useMemo(() => read(value, scope), [value, scope])
  const [wantsText, setWantsText] = useState(false)
  const [boxes, setBoxes] = useState(0)
  const draft = useRef(value)
  const toggle = useRef<HTMLButtonElement>(null)
  // A filter with errors has no chips.
  const isText = wantsText || !filter
  const client = useQueryClient()
  const written = useRef<string>(undefined)
  // What was typed stays as it was typed.
  const isNamed = filter !== undefined && value !== written.current && hasIds(filter)
  const { data: named } = useQuery({ ...namedTextQuery(object, value), enabled: isText && isNamed })
  const text = isNamed ? (named ?? value) : value

  const toText = async () => {
    draft.current = isNamed ? await client.ensureQueryData(namedTextQuery(object, value)) : value
    setWantsText(true)
  }
  const write = (typed: string) => {
    written.current = typed
    onChange(typed)
  }
  const toChips = () => {
    const typed = draft.current
    if (read(typed, scope).faults.length) return say('Fix the errors in this filter before switching to chips.')
    if (typed !== text) onChange(typed)
    setWantsText(false)
    toggle.current?.focus()
  }
  const clear = () => {
    draft.current = ''
    setBoxes(boxes + 1)
    onChange('')
  }
  const bar = useRef<HTMLElement>(null)
  useEffect(() => hearFilter(() => begin(bar.current)), [])
  useEffect(() => whenIdle(FilterBox.prepare), [])
  const toggleLabel = isText ? 'Show as chips' : 'Edit as text'
  return (
    <search ref={bar} className={css.bar} aria-label="Filter">
      {isText || !filter ? (
        <div className={css.text}>
          <FilterBox
            key={boxes}
            object={object}
            value={text}
            autoFocus={wantsText}
            onDraft={(text) => {
              draft.current = text
            }}
            onChange={write}
            onLeave={toChips}
          />
        </div>
      ) : (
        <FilterChips scope={scope} filter={filter} onChange={onChange} onText={() => void toText()} />
      )}
      <div className={css.actions}>
        {(value !== '' || isText) && (
          <Button variant="subtle" color="gray" c="dimmed" fw={500} size="compact-sm" h={28} onClick={clear}>
            Clear
          </Button>
        )}
        <Tooltip label={toggleLabel} openDelay={300}>
          <ActionIcon
            ref={toggle}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={toggleLabel}
            onPointerEnter={FilterBox.prepare}
            onFocus={FilterBox.prepare}
            onClick={() => (isText ? toChips() : void toText())}
          >
            {isText ? <ListFilter size={15} aria-hidden="true" /> : <TextCursorInput size={15} aria-hidden="true" />}
          </ActionIcon>
        </Tooltip>
      </div>
    </search>
  )
}

/** The field of a further condition, or the text. */
function begin(bar: HTMLElement | null) {
  const add = [...(bar?.querySelectorAll<HTMLElement>('[data-add]') ?? [])].at(-1)
  if (add) return add.click()
  bar?.querySelector<HTMLElement>('[role=textbox], textarea')?.focus()
}
