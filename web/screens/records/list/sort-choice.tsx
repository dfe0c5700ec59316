import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import type { ObjectShape } from '../../../records/schema.ts'
import { canSort, choicesOf } from './list-columns.ts'
import css from './tools.module.css'
import type { ListState } from './use-list-state.ts'

/** What the list is sorted by, in order; without anything the newest come first. */
export function SortChoice({ object, state }: { object: ObjectShape; state: ListState }) {
  const fields = choicesOf(object).filter(canSort)
  const put = (sort: string[]) => state.change({ sort })
  const free = fields.filter(({ key }) => !state.sort.some((one) => bare(one) === key))
  const set = (index: number, one: string) => put(state.sort.with(index, one))
  return (
    <div className={css.panel}>
      {state.sort.length === 0 && <p className={css.hint}>Not sorted: the newest come first.</p>}
      {state.sort.map((one, index) => {
        const label = object.byKey.get(bare(one))?.label ?? bare(one)
        return (
          <div key={bare(one)} className={css.sort}>
            <Select
              size="xs"
              aria-label={`Field ${index + 1}`}
              searchable
              allowDeselect={false}
              withCheckIcon={false}
              comboboxProps={{ withinPortal: false }}
              data={fields.map(({ key, label }) => ({ value: key, label }))}
              value={bare(one)}
              onChange={(key) => key && set(index, one.startsWith('-') ? `-${key}` : key)}
            />
            <SegmentedControl
              size="xs"
              aria-label={`Direction of ${label}`}
              data={[
                { value: 'up', label: 'A–Z' },
                { value: 'down', label: 'Z–A' },
              ]}
              value={one.startsWith('-') ? 'down' : 'up'}
              onChange={(way) => set(index, way === 'down' ? `-${bare(one)}` : bare(one))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`Do not sort by ${label}`}
              onClick={() => put(state.sort.toSpliced(index, 1))}
            >
              <X size={14} aria-hidden="true" />
            </ActionIcon>
          </div>
        )
      })}
      {free[0] && state.sort.length < 5 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} aria-hidden="true" />}
          onClick={() => put([...state.sort, free[0]!.key])}
        >
          Add a field
        </Button>
      )}
    </div>
  )
}

const bare = (one: string) => one.replace(/^-/, '')
