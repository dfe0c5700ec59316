import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { FlaskConical } from 'lucide-react'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { AddButton } from '../../../ui/form/add-button.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { UsersSelect } from '../../../users/users-select.tsx'
import { Fold } from '../shared/fold.tsx'
import css from '../shared/lead-sending.module.css'
import { type Destination, type RouteInput, useLeads } from '../shared/queries.ts'
import { type Draft, newTarget, type Target } from './route-draft.ts'
import { samePersonWords, scheduleWords } from './route-row.tsx'
import { ScheduleFields } from './route-schedule.tsx'
import { TargetFields } from './route-target.tsx'

/** `key` names a destination in the form, also before one is chosen. */
type Row = Target & { key: string }
type Values = Omit<Draft, 'id' | 'version' | 'filter' | 'targets' | 'retry_minutes'> & {
  filter: string
  targets: Row[]
  retry_minutes: string
}
type Sent = Omit<Draft, 'id' | 'version'>

const rowOf = (target: Target): Row => ({ ...target, key: crypto.randomUUID() })

function valuesOf(draft: Draft & { key?: string }): Values {
  const { id: _, version: __, key: ___, filter, targets, retry_minutes, ...rest } = draft
  return { ...rest, filter: filter ?? '', targets: targets.map(rowOf), retry_minutes: retry_minutes.join(', ') }
}

const modes = [
  { value: 'first', label: 'The first that accepts, from top to bottom' },
  { value: 'in_turn', label: 'Round robin' },
  { value: 'weighted', label: 'By weight' },
  { value: 'all', label: 'All of them' },
  { value: 'some', label: 'Until a set number have accepted' },
]

type Props = {
  title: string
  action: string
  route: Draft
  /** Why its filter no longer works. */
  problem?: string | null | undefined
  destinations: Destination[]
  save: (sent: RouteInput) => Promise<unknown>
  onSaved: () => unknown
  /** Left out where it is simulated already. */
  onSimulate?: (draft: Sent) => void
  onClose: () => void
}

/** Everything about a route. The draft can be tried on past leads before it is saved. */
export function RouteForm(props: Props) {
  const { title, action, route, problem, destinations, save, onSaved, onSimulate, onClose } = props
  const leads = useLeads()
  const { form, submitBy, values, change, text, choice, number, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/lead-routes.ts'),
      ({ leadRoutes }) => leadRoutes.createLeadRoute.input,
    ),
    initial: valuesOf(route),
    ask: ({ filter, targets, retry_minutes, ...rest }: Values): Sent => ({
      ...rest,
      filter: filter.trim() || null,
      targets: targets.map(({ key: _, ...target }) => target),
      retry_minutes: numbersIn(retry_minutes),
    }),
    send: async (sent) => {
      await save(sent)
      return sent
    },
    onDone: onSaved,
  })
  const { targets, mode, schedule } = values
  const isWeighted = mode === 'weighted'
  return (
    <Dialog title={title} size={760} tall onClose={onClose}>
      <Form of={form} className={css.form ?? ''}>
        <div className={css.row}>
          <TextInput label="Name" placeholder="Solar, Berlin" autoComplete="off" data-autofocus {...text('name')} />
          <Select
            label="State"
            data={[
              { value: 'test', label: 'Test: evaluates leads, but sends nothing' },
              { value: 'active', label: 'Active: sends leads' },
              { value: 'paused', label: 'Paused' },
            ]}
            {...choice('state')}
          />
        </div>
        <fieldset className={css.plain}>
          <legend className={css.label}>Which leads</legend>
          <p className={css.hint}>Without a filter, every lead.</p>
          {leads && <FilterBar object={leads.key} value={values.filter} onChange={(filter) => change({ filter })} />}
          {(errors.filter ?? problem) && (
            <p role="alert" className={css.fault}>
              {errors.filter ?? problem}
            </p>
          )}
        </fieldset>
        <fieldset className={css.plain}>
          <legend className={css.label}>Who gets them</legend>
          <p className={css.hint}>Leave a cap empty for no limit. Rejected leads do not count.</p>
          {targets.map((target, i) => (
            <TargetFields
              key={target.key}
              of={target}
              at={i}
              isWeighted={isWeighted}
              destinations={destinations.filter(
                ({ id }) => id === target.destination_id || !targets.some((one) => one.destination_id === id),
              )}
              errors={errors}
              onChange={(next) => change({ targets: targets.with(i, { ...next, key: target.key }) })}
              onUp={i > 0 && mode !== 'all' ? () => change({ targets: swapped(targets, i) }) : undefined}
              onRemove={targets.length > 1 ? () => change({ targets: targets.filter((_, at) => at !== i) }) : undefined}
            />
          ))}
          {errors.targets && (
            <p role="alert" className={css.fault}>
              {errors.targets}
            </p>
          )}
          {targets.length < destinations.length && (
            <AddButton onClick={() => change({ targets: [...targets, rowOf(newTarget(''))] })}>
              Add another destination
            </AddButton>
          )}
        </fieldset>
        {targets.length > 1 && (
          <div className={css.row}>
            <Select label="How leads are distributed" data={modes} {...choice('mode')} />
            {mode === 'some' && (
              <NumberField label="Number of acceptances" isWhole min={1} max={targets.length} {...number('wanted')} />
            )}
          </div>
        )}
        <Fold title="Schedule and duplicates" now={whenWords(values)}>
          <ScheduleFields value={schedule} errors={errors} onChange={(next) => change({ schedule: next })} />
          <div className={css.row}>
            <NumberField
              label="Wait before sending"
              description="In minutes"
              isWhole
              min={0}
              {...number('delay_minutes')}
            />
            <NumberField
              label="Skip duplicates for (days)"
              description="Matches by email or phone; 0 turns it off"
              isWhole
              min={0}
              {...number('duplicate_days')}
            />
          </div>
        </Fold>
        <Fold title="If rejected or failed" now={otherwiseWords(values)}>
          <div className={css.row}>
            <Select
              label="When rejected"
              data={[
                { value: 'next', label: 'Try the next destination' },
                { value: 'stop', label: 'Stop' },
              ]}
              {...choice('on_rejection')}
            />
            <Select
              label="When sending fails"
              data={[
                { value: 'retry', label: 'Retry, then try the next' },
                { value: 'next', label: 'Try the next destination' },
                { value: 'stop', label: 'Stop' },
              ]}
              {...choice('on_failure')}
            />
            {values.on_failure === 'retry' && (
              <TextInput
                label="Retry after, in minutes"
                placeholder="1, 10, 60"
                {...text('retry_minutes')}
                error={
                  errors.retry_minutes ??
                  numbersIn(values.retry_minutes)
                    .map((_, i) => errors[`retry_minutes.${i}`])
                    .find(Boolean)
                }
              />
            )}
          </div>
          <UsersSelect
            label="Notify of rejections and failures"
            placeholder="No one"
            value={values.notify_user_ids}
            onChange={(notify_user_ids) => change({ notify_user_ids })}
          />
        </Fold>
        <Fold title="After acceptance" now={afterWords(values)}>
          <Checkbox label="Exclusive" description="Only one destination gets the lead." {...checked('is_exclusive')} />
          <Checkbox
            label="Continue to the next routes"
            description="Otherwise, routing ends once a destination of this route has accepted the lead."
            {...checked('goes_on')}
          />
        </Fold>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {onSimulate && (
            <Button
              variant="default"
              leftSection={<FlaskConical size={14} />}
              onClick={() => submitBy({ send: async (sent) => sent, onDone: onSimulate })}
            >
              Simulate
            </Button>
          )}
          <Button type="submit" loading={form.isPending}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const numbersIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number)

const whenWords = ({ schedule, delay_minutes, duplicate_days }: Values) =>
  [
    schedule ? scheduleWords(schedule) : 'Always',
    Number(delay_minutes) > 0 ? `after ${asNumber(Number(delay_minutes))} min` : 'immediately',
    Number(duplicate_days) > 0 && samePersonWords(Number(duplicate_days)),
  ]
    .filter(Boolean)
    .join(', ')

const otherwiseWords = ({ on_rejection, on_failure }: Values) =>
  on_rejection === 'stop' ? 'Stops' : on_failure === 'retry' ? 'Retries, then tries the next' : 'Tries the next'

const afterWords = ({ is_exclusive, goes_on }: Values) =>
  [is_exclusive && 'Exclusive', goes_on ? 'later routes also get it' : 'later routes do not get it']
    .filter(Boolean)
    .join(', ')
    .replace(/^l/, 'L')

/** With the one before it. */
const swapped = (targets: Row[], at: number) => targets.with(at - 1, targets[at]!).with(at, targets[at - 1]!)
