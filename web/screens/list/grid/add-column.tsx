import { Button, Popover, Tooltip } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { ColumnChoice } from '../tools/column-choice.tsx'
import css from './grid.module.css'

/** At the end of the headings: shows another field, or makes a new one. */
export function AddColumn({ object, state }: { object: ObjectShape; state: ListState }) {
  const [isOpen, setOpen] = useState(false)
  const { may } = useSignedIn()
  const navigate = useNavigate()
  useNewColumns(object, state)
  const create = () => {
    awaited = { object: object.key, known: new Set(object.fields.map(({ key }) => key)) }
    void navigate({
      to: '/company/objects/$object',
      params: { object: object.key },
      search: { add: true },
    })
  }
  return (
    <div className={css.addColumn}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Tooltip label="Add a column">
            <IconButton icon={Plus} label="Add a column" size={26} title={false} onClick={() => setOpen(!isOpen)} />
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown aria-label="Add a column" p={0}>
          <ColumnChoice object={object} state={state} />
          {may('objects.manage') && (
            <div className={css.newField}>
              <Button
                fullWidth
                variant="subtle"
                size="compact-sm"
                justify="flex-start"
                leftSection={<Plus size={14} />}
                onClick={create}
              >
                New field…
              </Button>
            </div>
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

/** Which fields there were when one left to make another. */
let awaited: { object: string; known: Set<string> } | undefined

/** Back in the list, the new field is a column. */
function useNewColumns(object: ObjectShape, state: ListState) {
  const add = useEffectEvent(() => {
    if (awaited?.object !== object.key) return
    const { known } = awaited
    const added = object.fields.filter(({ key }) => !known.has(key)).map(({ key }) => ({ key }))
    if (!added.length) return
    awaited = undefined
    state.change({ columns: [...state.columns, ...added] })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field comes with the schema, perhaps after the list
  useEffect(() => add(), [object.fields])
}
