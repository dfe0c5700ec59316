import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useMemo } from 'react'
import { mostHolidays, weekdays } from '../../../../contract/working-hours.ts'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { DayInput } from '../../../ui/form/date-range.tsx'
import { FieldError } from '../../../ui/form/field-group.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { TimeField } from '../../../ui/form/time-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { type Hours, type InboxHours, usualHours, type Weekday } from './hours.ts'
import css from './working-hours.module.css'

type Props = {
  of: Hours | null
  /** Of the company. */
  zone: string
  /** What it means that there are none. */
  none: string
  send: (hours: Hours | null) => Promise<InboxHours>
  onDone: (saved: InboxHours) => void
  onClose: () => void
}
type Values = Hours & { isSet: boolean }

export function HoursForm({ of: hours, zone, none, send, onDone, onClose }: Props) {
  const { form, values, change, errors } = useForm({
    input: rulesOf(() => import('../../../../contract/working-hours.ts'), faultsOf),
    initial: { ...(hours ?? usualHours), isSet: hours !== null } as Values,
    ask: ({ isSet, ...rest }) => ({ hours: isSet ? rest : null }),
    send: (sent: { hours: Hours | null }) => send(sent.hours),
    fieldOf: (path) => path.replace(/^hours\./, ''),
    onDone: (saved) => {
      onDone(saved)
      say('Working hours saved')
    },
  })
  return (
    <Form of={form} className={css.form}>
      <SegmentedControl
        aria-label="Hours"
        data={[
          { value: 'set', label: 'Custom hours' },
          { value: 'none', label: none },
        ]}
        value={values.isSet ? 'set' : 'none'}
        onChange={(next) => change({ isSet: next === 'set' })}
      />
      {values.isSet && (
        <>
          <ZoneSelect value={values.time_zone} zone={zone} onChange={(time_zone) => change({ time_zone })} />
          <fieldset className={css.days}>
            <legend>Week</legend>
            {weekdays.map((day) => (
              <Day
                key={day}
                day={day}
                value={values.days[day]}
                error={errorUnder(errors, `days.${day}`)}
                onChange={(times) => change({ days: { ...values.days, [day]: times } })}
              />
            ))}
            <FieldError>{errors.days}</FieldError>
          </fieldset>
          <Holidays value={values.holidays} errors={errors} onChange={(holidays) => change({ holidays })} />
        </>
      )}
      <DialogSubmit of={form} action="Save" onCancel={onClose} />
    </Form>
  )
}

/** The rules of the contract, at the fields that they are about. */
const faultsOf =
  ({ Hours: shape }: typeof import('../../../../contract/working-hours.ts')) =>
  ({ hours }: { hours: Hours | null }) => {
    const issues = shape.nullable().safeParse(hours).error?.issues ?? []
    return Object.fromEntries(issues.map(({ path, message }) => [path.join('.') || 'days', message]))
  }

const zones = Intl.supportedValuesOf('timeZone')

function ZoneSelect(props: { value: string | null; zone: string; onChange: (zone: string | null) => void }) {
  const { value, zone, onChange } = props
  const data = useMemo(() => zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })), [])
  return (
    <Select
      label="Time zone"
      placeholder={`Company default: ${zone.replaceAll('_', ' ')}`}
      data={data}
      searchable
      clearable
      limit={50}
      value={value}
      onChange={onChange}
    />
  )
}

type Times = Hours['days'][Weekday]
type DayProps = { day: Weekday; value: Times; error: string | undefined; onChange: (times: Times) => void }

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
/** A field for times knows no 24:00. */
const shownEnd = (to: string) => (to === '24:00' ? '00:00' : to)
const readEnd = (to: string) => (to === '00:00' ? '24:00' : to)

function Day({ day, value, error, onChange }: DayProps) {
  const name = capital(day)
  const next = () => {
    const last = value.at(-1)?.to
    return last && last < '23:00' ? { from: last, to: '24:00' } : { from: '09:00', to: '17:00' }
  }
  return (
    <fieldset className={css.day} aria-label={name}>
      <span className={css.dayName}>{name}</span>
      <div className={css.times}>
        {value.length === 0 && <span className={css.closed}>Closed</span>}
        {value.map(({ from, to }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: times have nothing but their place
          <div key={i} className={css.time}>
            <TimeField
              label={`${name}, opens`}
              value={from}
              onChange={(from) => onChange(value.with(i, { from, to }))}
            />
            <span aria-hidden="true">–</span>
            <TimeField
              label={`${name}, closes`}
              value={shownEnd(to)}
              onChange={(end) => onChange(value.with(i, { from, to: readEnd(end) }))}
            />
            <IconButton
              icon={X}
              label={`Remove this time of ${name}`}
              size={28}
              onClick={() => onChange(value.toSpliced(i, 1))}
            />
          </div>
        ))}
        <FieldError>{error}</FieldError>
      </div>
      <IconButton
        icon={Plus}
        label={`Add a time to ${name}`}
        size={28}
        title="Add a time"
        disabled={value.length >= 6}
        onClick={() => onChange([...value, next()])}
      />
    </fieldset>
  )
}

type HolidaysProps = {
  value: Hours['holidays']
  errors: Record<string, string>
  onChange: (holidays: Hours['holidays']) => void
}

const Holidays = ({ value, errors, onChange }: HolidaysProps) => (
  <fieldset className={css.days}>
    <legend>Holidays</legend>
    {value.map(({ day, name }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a day can be empty while it is typed
      <fieldset key={i} className={css.holiday} aria-label={`Holiday ${i + 1}`}>
        <DayInput
          label=""
          name={`Day of holiday ${i + 1}`}
          value={day}
          error={errors[`holidays.${i}.day`]}
          isNested
          onChange={(next) => onChange(value.with(i, { day: next, name }))}
        />
        <TextInput
          aria-label={`Name of holiday ${i + 1}`}
          placeholder="Name"
          maxLength={100}
          value={name}
          onChange={(event) => onChange(value.with(i, { day, name: event.currentTarget.value }))}
        />
        <IconButton
          icon={X}
          label={`Remove holiday ${i + 1}`}
          size={28}
          onClick={() => onChange(value.toSpliced(i, 1))}
        />
      </fieldset>
    ))}
    <Button
      variant="default"
      size="compact-sm"
      className={css.add}
      disabled={value.length >= mostHolidays}
      leftSection={<Plus size={14} />}
      onClick={() => onChange([...value, { day: '', name: '' }])}
    >
      Add a holiday
    </Button>
  </fieldset>
)
