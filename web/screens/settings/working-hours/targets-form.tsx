import { SegmentedControl, Select } from '@mantine/core'
import { say } from '../../../ui/basics/notices.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type InboxHours, noTargets, type Targets } from './hours.ts'
import css from './working-hours.module.css'

type Props = {
  of: Targets | null
  /** For a channel: what it has without its own. */
  company: Targets | undefined
  send: (targets: Targets | null) => Promise<InboxHours>
  onDone: (saved: InboxHours) => void
  onClose: () => void
}

type Unit = 'minutes' | 'hours'
type Length = { count: number | string; unit: Unit }
type Values = { isOwn: boolean; response_minutes: Length; resolution_minutes: Length }

/** `unit`: while there is none. */
const lengthOf = (minutes: number | null, unit: Unit): Length =>
  minutes === null
    ? { count: '', unit }
    : minutes % 60 === 0
      ? { count: minutes / 60, unit: 'hours' }
      : { count: minutes, unit: 'minutes' }
const minutesOf = ({ count, unit }: Length) =>
  count === '' ? null : Math.round(Number(count) * (unit === 'hours' ? 60 : 1))

export function TargetsForm({ of: targets, company, send, onDone, onClose }: Props) {
  const shown = targets ?? company ?? noTargets
  const { form, values, change, errors } = useForm({
    input: rulesOf(() => import('../../../../contract/working-hours.ts'), faultsOf),
    initial: {
      isOwn: targets !== null,
      response_minutes: lengthOf(shown.response_minutes, 'minutes'),
      resolution_minutes: lengthOf(shown.resolution_minutes, 'hours'),
    } as Values,
    ask: ({ isOwn, response_minutes, resolution_minutes }) => ({
      targets:
        company && !isOwn
          ? null
          : { response_minutes: minutesOf(response_minutes), resolution_minutes: minutesOf(resolution_minutes) },
    }),
    send: (sent) => send(sent.targets),
    fieldOf: (path) => path.replace(/^targets\./, ''),
    onDone: (saved) => {
      onDone(saved)
      say('Targets saved')
    },
  })
  return (
    <Form of={form}>
      {company && (
        <SegmentedControl
          aria-label="Targets"
          data={[
            { value: 'own', label: 'Custom targets' },
            { value: 'company', label: 'Company default' },
          ]}
          value={values.isOwn ? 'own' : 'company'}
          onChange={(next) => change({ isOwn: next === 'own' })}
        />
      )}
      {(!company || values.isOwn) && (
        <>
          <LengthInput
            label="First response within"
            value={values.response_minutes}
            error={errors.response_minutes}
            onChange={(response_minutes) => change({ response_minutes })}
          />
          <LengthInput
            label="Closed within"
            value={values.resolution_minutes}
            error={errors.resolution_minutes}
            onChange={(resolution_minutes) => change({ resolution_minutes })}
          />
        </>
      )}
      <p className={css.note}>In working time. Also applies to open conversations.</p>
      <DialogSubmit of={form} action="Save" onCancel={onClose} />
    </Form>
  )
}

const faultsOf =
  ({ Targets: shape }: typeof import('../../../../contract/working-hours.ts')) =>
  ({ targets }: { targets: Targets | null }) => {
    const issues = shape.nullable().safeParse(targets).error?.issues ?? []
    const words = 'Use at least a minute and at most 2,160 hours'
    return Object.fromEntries(issues.map(({ path }) => [path.join('.'), words]))
  }

type LengthProps = {
  label: string
  value: Length
  error: string | undefined
  onChange: (length: Length) => void
}

const LengthInput = ({ label, value, error, onChange }: LengthProps) => (
  <div className={css.length}>
    <NumberField
      label={label}
      placeholder="No target"
      min={0}
      error={error}
      value={value.count}
      onChange={(count) => onChange({ ...value, count })}
    />
    <Select
      aria-label={`Unit of “${label}”`}
      data={['minutes', 'hours']}
      value={value.unit}
      onChange={(unit) => onChange({ ...value, unit: unit as Unit })}
    />
  </div>
)
