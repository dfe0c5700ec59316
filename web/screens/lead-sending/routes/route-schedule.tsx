import { Checkbox, Select, TextInput } from '@mantine/core'
import { weekdayNames } from '../../../../contract/lead-routes.ts'
import { useSignedIn } from '../../../client/session.ts'
import { timeZoneChoices } from '../../../ui/text/numbers.ts'
import css from '../shared/lead-sending.module.css'
import type { Route } from '../shared/queries.ts'

type Schedule = NonNullable<Route['schedule']>

type ScheduleProps = {
  value: Schedule | null
  errors: Record<string, string>
  onChange: (next: Schedule | null) => void
}

export function ScheduleFields({ value, errors, onChange }: ScheduleProps) {
  const { me, company } = useSignedIn()
  const usual: Schedule = {
    days: [...weekdayNames.slice(0, 5)],
    from: '09:00',
    to: '17:00',
    time_zone: me.time_zone ?? company.time_zone,
    closed: 'skip',
  }
  return (
    <>
      <Checkbox
        label="Only at certain times"
        description="Closed on your company's holidays"
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usual : null)}
      />
      {value && (
        <>
          <Checkbox.Group
            label="Days"
            value={value.days}
            error={errors['schedule.days']}
            onChange={(days) => onChange({ ...value, days: weekdayNames.filter((day) => days.includes(day)) })}
          >
            <div className={css.days}>
              {weekdayNames.map((day) => (
                <Checkbox key={day} value={day} label={`${day[0]!.toUpperCase()}${day.slice(1, 3)}`} aria-label={day} />
              ))}
            </div>
          </Checkbox.Group>
          <div className={css.row}>
            <TextInput
              label="From"
              value={value.from}
              error={errors['schedule.from']}
              onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
            />
            <TextInput
              label="To"
              value={value.to}
              error={errors['schedule.to'] ?? errors.schedule}
              onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
            />
            <Select
              label="Time zone"
              searchable
              data={timeZoneChoices(value.time_zone)}
              value={value.time_zone}
              onChange={(next) => next && onChange({ ...value, time_zone: next })}
            />
            <Select
              label="Outside these times"
              data={[
                { value: 'skip', label: 'Try the next route' },
                { value: 'wait', label: 'The lead waits' },
              ]}
              value={value.closed}
              onChange={(next) => next && onChange({ ...value, closed: next as Schedule['closed'] })}
            />
          </div>
        </>
      )}
    </>
  )
}
