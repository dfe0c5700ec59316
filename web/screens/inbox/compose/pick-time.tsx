import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import type { FieldShape } from '../../../records/data/schema.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { clockText, instantText, readMoment, usualTime } from '../../../records/fields/read-moment.ts'
import { PickList } from '../../../ui/form/picker.tsx'
import { asNearMoment } from '../../../ui/text/moments.ts'
import { mannerIn } from '../../../ui/text/read-day.ts'
import { laterChoices } from '../state/snooze.ts'
import css from './dialogs.module.css'
import { PickDialog } from './pick-dialog.tsx'

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

type Props = { title: string; question: string; onPick: (at: string) => void; onClose: () => void }

/** A time in the future, by a usual choice or exactly. */
export function PickTime({ title, question, onPick, onClose }: Props) {
  const { me, company } = useSignedIn()
  const [search, setSearch] = useState('')
  const [isExact, setExact] = useState(false)
  const [at, setAt] = useState<string | null>(null)
  const wanted = search.trim().toLowerCase()
  const choices = laterChoices().filter(({ label }) => label.toLowerCase().includes(wanted))
  const zone = me.time_zone ?? company.time_zone
  const read = wanted
    ? readMoment(wanted, mannerIn(me.language ?? company.language), usualTime, clockText(Date.now(), zone))
    : null
  const typed = read && instantText(read, zone)
  const isFuture = (moment: string | null) => moment !== null && Date.parse(moment) > Date.now()
  const items = [
    ...(typed && isFuture(typed) && !choices.some((one) => one.at === typed)
      ? [{ value: typed, label: asNearMoment(typed) }]
      : []),
    ...choices.map(({ label, at, detail }) => ({ value: at, label, detail })),
    { value: 'exact', label: 'Pick date and time' },
  ]
  return (
    <PickDialog title={title} size={380} onClose={onClose}>
      {isExact ? (
        <div className={css.exact}>
          <FieldEditor autoFocus field={field} value={at} onChange={(value) => setAt(value as string | null)} />
          <div className={css.actions}>
            <Button variant="default" onClick={() => setExact(false)}>
              Back
            </Button>
            <Button disabled={!isFuture(at)} onClick={() => at && onPick(at)}>
              {title}
            </Button>
          </div>
        </div>
      ) : (
        <PickList
          label={title}
          placeholder={question}
          items={items}
          search={search}
          onSearch={setSearch}
          onPick={(value) => (value === 'exact' ? setExact(true) : onPick(value))}
        />
      )}
    </PickDialog>
  )
}
