import { Button, SegmentedControl, Select } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { canSort, choicesOf } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import css from './tools.module.css'

/** What the list is sorted by, in order; without anything the newest come first. */
export function SortChoice({ object, state }: { object: ObjectShape; state: ListState }) {
  const fields = [...choicesOf(object), ...object.linked].filter(canSort)
  const put = (sort: string[]) => state.change({ sort })
  const free = fields.filter(({ key }) => !state.sort.some((one) => bare(one) === key))
  const set = (index: number, one: string) => put(state.sort.with(index, one))
  return (
    <div className={css.panel}>
      {state.sort.length === 0 && <p className={css.hint}>Newest records first.</p>}
      {state.sort.map((one, index) => {
        const label = object.byKey.get(bare(one))?.label ?? bare(one)
        return (
          <div key={bare(one)} className={css.sort}>
            <Select
              size="xs"
              aria-label={`Field ${index + 1}`}
              searchable
              openOnFocus={false}
              withCheckIcon={false}
              comboboxProps={{ withinPortal: false }}
              data={fields.map(({ key, label }) => ({ value: key, label }))}
              value={bare(one)}
              onChange={(key) => key && set(index, one.startsWith('-') ? `-${key}` : key)}
            />
            <SegmentedControl
              size="xs"
              aria-label={`Direction of ${label}`}
              data={directions(object.byKey.get(bare(one)))}
              value={one.startsWith('-') ? 'down' : 'up'}
              onChange={(way) => set(index, way === 'down' ? `-${bare(one)}` : bare(one))}
            />
            <IconButton
              icon={X}
              label={`Do not sort by ${label}`}
              size={28}
              onClick={() => put(state.sort.toSpliced(index, 1))}
            />
          </div>
        )
      })}
      {free[0] && state.sort.length < 5 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => put([...state.sort, free[0]!.key])}
        >
          {state.sort.length ? 'Then by another field' : 'Sort by a field'}
        </Button>
      )}
    </div>
  )
}

const words: Partial<Record<FieldShape['type'], [string, string]>> = {
  number: ['low to high', 'high to low'],
  money: ['low to high', 'high to low'],
  date: ['oldest first', 'newest first'],
  datetime: ['oldest first', 'newest first'],
  boolean: ['no first', 'yes first'],
  select: ['first to last', 'last to first'],
}

/** What ascending and descending mean for this kind of values. */
export const orderWords = (field: FieldShape | undefined) => (field && words[field.type]) ?? ['A to Z', 'Z to A']

function directions(field: FieldShape | undefined) {
  const [up, down] = orderWords(field).map((one) => one[0]!.toUpperCase() + one.slice(1))
  return [
    { value: 'up', label: up! },
    { value: 'down', label: down! },
  ]
}

/** "Score, high to low, then Name, A to Z" */
export const sortWords = (object: ObjectShape, sort: string[]) =>
  sort
    .map((one) => {
      const field = object.byKey.get(bare(one))
      return `${field?.label ?? bare(one)}, ${orderWords(field)[one.startsWith('-') ? 1 : 0]}`
    })
    .join(', then ')

const bare = (one: string) => one.replace(/^-/, '')

/** The next step of a heading: ascending, descending, not at all. Added: behind the others, else alone. */
export function nextSort(sort: string[], key: string, isAdded: boolean): string[] {
  const now = sort.find((one) => one.replace(/^-/, '') === key)
  const next = now === undefined ? key : now.startsWith('-') ? undefined : `-${key}`
  if (!isAdded) return next === undefined ? [] : [next]
  if (now === undefined) return [...sort, key].slice(0, mostSorts)
  return sort.flatMap((one) => (one === now ? (next ?? []) : [one]))
}

const mostSorts = 5

export function sortOf(sort: string[], key: string) {
  const place = sort.findIndex((one) => one.replace(/^-/, '') === key)
  if (place < 0) return undefined
  return { isDescending: sort[place]!.startsWith('-'), place: sort.length > 1 ? place + 1 : undefined }
}
