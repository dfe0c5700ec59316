import { Button, Tooltip } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { asSearch } from '../../../contract/filter/index.ts'
import { useKeys } from '../../ui/basics/keys.ts'
import { say } from '../../ui/basics/notices.tsx'
import type { FilterChipsProps } from './condition-chip.tsx'
import css from './filter-bar.module.css'
import type { FilterBox } from './filter-box.tsx'
import { hasIds, namedTextQuery } from './filter-text.tsx'
import { FilterChips } from './group.tsx'
import { read, useFilterObjects, useIsOther } from './tree.ts'
import { useFilterText } from './use-filter-text.ts'

/** The editor of texts is on its way before anyone can ask for it: chips come first. */
let loadedBox: typeof FilterBox | undefined
const loadBox = async () => {
  const { FilterBox } = await import('./filter-box.tsx')
  loadedBox = FilterBox
  return { default: FilterBox }
}
const LaterBox = lazy(loadBox)

type Props = {
  object: string
  /** The filter as text; empty for every record. */
  value: string
  onChange: (text: string) => void
  quick?: FilterChipsProps['quick']
  /** What the empty text box says. */
  hint?: string
}

/** A filter as chips or as text: two views of one tree. */
export function FilterBar({ object, value, onChange, quick = [], hint }: Props) {
  const { text, isTyped, version, type, replace } = useFilterText(value, onChange)
  const objects = useFilterObjects()
  const scope = useMemo(() => ({ objects, root: object }), [objects, object])
  const { filter } = useMemo(() => read(text, scope), [text, scope])
  const [wantsText, setWantsText] = useState(false)
  const [Box, setBox] = useState<typeof FilterBox | typeof LaterBox>(() => loadedBox ?? LaterBox)
  const draft = useRef(text)
  const toggle = useRef<HTMLButtonElement>(null)
  // A filter with errors has no chips.
  const isText = wantsText || !filter
  const client = useQueryClient()
  const isOther = useIsOther()
  // What was typed stays as it was typed.
  const hasNames = filter !== undefined && !isTyped && !isOther && hasIds(filter)
  const { data: named } = useQuery({ ...namedTextQuery(object, text), enabled: isText && hasNames })
  const shown = hasNames ? (named ?? text) : text

  useEffect(() => void loadBox().catch(() => {}), [])
  const toText = async () => {
    // Without waiting, so that what is typed after the click arrives in the box.
    if (!loadedBox) await loadBox().catch(() => {})
    setBox(() => loadedBox ?? LaterBox)
    draft.current = hasNames ? await client.ensureQueryData(namedTextQuery(object, text)) : text
    setWantsText(true)
  }
  const search = (words: string) => {
    draft.current = words
    replace(words)
    setWantsText(false)
    toggle.current?.focus()
  }
  const toChips = () => {
    const words = asSearch(draft.current, scope)
    if (words) return search(words)
    if (read(draft.current, scope).faults.length) return say('Fix the errors in this filter before switching to chips.')
    if (draft.current !== shown) replace(draft.current)
    setWantsText(false)
    toggle.current?.focus()
  }
  const clear = () => {
    draft.current = ''
    replace('')
  }
  const bar = useRef<HTMLElement>(null)
  useKeys({ f: () => begin(bar.current) })
  const toggleLabel = isText ? 'Show as chips' : 'Edit as text'
  return (
    <search ref={bar} className={css.bar} aria-label="Filter">
      {isText ? (
        <div className={css.text}>
          <Suspense>
            <Box
              key={`${version} ${hasNames && !named ? 'without names' : ''}`}
              object={object}
              value={shown}
              autoFocus={wantsText}
              {...(hint && { hint })}
              onDraft={(text) => {
                draft.current = text
              }}
              onChange={type}
              onSearch={search}
              onLeave={toChips}
            />
          </Suspense>
        </div>
      ) : (
        <FilterChips scope={scope} filter={filter} quick={quick} onChange={replace} onText={() => void toText()} />
      )}
      <div className={css.actions}>
        {(text !== '' || isText) && (
          <Button variant="subtle" color="gray" c="dimmed" fw={500} size="compact-sm" h={28} onClick={clear}>
            Clear
          </Button>
        )}
        <Tooltip label={toggleLabel}>
          <Button
            ref={toggle}
            variant="subtle"
            color="gray"
            c="dimmed"
            fw={500}
            size="compact-sm"
            h={28}
            aria-label={toggleLabel}
            onClick={() => (isText ? toChips() : void toText())}
          >
            {isText ? 'Chips' : 'Text'}
          </Button>
        </Tooltip>
      </div>
    </search>
  )
}

/** The field of a further condition, or the text. */
function begin(bar: HTMLElement | null) {
  const add = [...(bar?.querySelectorAll<HTMLElement>('[data-add]') ?? [])].at(-1)
  if (add) return add.click()
  bar?.querySelector<HTMLElement>('[role=textbox]')?.focus()
}
