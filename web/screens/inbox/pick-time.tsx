import { Button } from '@mantine/core'
import { useState } from 'react'
import { FieldEditor } from '../../records/field-editor.tsx'
import type { FieldShape } from '../../records/schema.ts'
import { PickList } from '../../ui/picker.tsx'
import css from './dialogs.module.css'
import { PickDialog } from './pick-dialog.tsx'
import { laterChoices } from './snooze.ts'

/** As fields of records are: "tomorrow 10:00", "in 2 hours". */
const field: FieldShape = {
  key: 'at',
  label: 'Date and time',
  type: 'datetime',
  description: '',
  is_multi: false,
  is_required: true,
  is_unique: false,
  is_read_only: false,
  is_built_in: true,
  is_archived: false,
  group: '',
  options: null,
  to_objects: null,
  default_value: null,
}

type Props = { title: string; onPick: (at: string) => void; onClose: () => void }

/** A time in the future, by a usual choice or exactly. */
export function PickTime({ title, onPick, onClose }: Props) {
  const [search, setSearch] = useState('')
  const [isExact, setExact] = useState(false)
  const [at, setAt] = useState<string | null>(null)
  const choices = laterChoices()
  const wanted = search.trim().toLowerCase()
  const items = [
    ...choices.map(({ label, at, detail }) => ({ value: at, label, detail })),
    { value: 'exact', label: 'Pick date and time' },
  ].filter(({ label }) => label.toLowerCase().includes(wanted))
  const isFuture = at !== null && Date.parse(at) > Date.now()
  return (
    <PickDialog title={title} size={380} onClose={onClose}>
      {isExact ? (
        <div className={css.exact}>
          <FieldEditor autoFocus field={field} value={at} onChange={(value) => setAt(value as string | null)} />
          <div className={css.actions}>
            <Button variant="default" onClick={() => setExact(false)}>
              Back
            </Button>
            <Button disabled={!isFuture} onClick={() => at && onPick(at)}>
              {title}
            </Button>
          </div>
        </div>
      ) : (
        <PickList
          label={title}
          placeholder="Until when?"
          items={items}
          search={search}
          onSearch={setSearch}
          onPick={(value) => (value === 'exact' ? setExact(true) : onPick(value))}
        />
      )}
    </PickDialog>
  )
}
