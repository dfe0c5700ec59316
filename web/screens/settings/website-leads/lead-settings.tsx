import { Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { mostRules } from '../../../../contract/leads.ts'
import { api } from '../../../client/api.ts'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { AddButton } from '../../../ui/form/add-button.tsx'
import { FieldError } from '../../../ui/form/field-group.tsx'
import { Form, FormBar } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './handling.module.css'
import { type LeadSettings, leadSettingsQuery, useLeadsChanged, useLeadsObject } from './lead-source.ts'

type Rule = { id: string; name: string; filter: string; points: number | string }

const units = [
  { value: '1', label: 'minutes' },
  { value: '60', label: 'hours' },
  { value: '1440', label: 'days' },
]
const unitOf = (minutes: number) => ['1440', '60'].find((unit) => minutes % Number(unit) === 0) ?? '1'

const valuesOf = ({ response_minutes, score_rules }: LeadSettings) => {
  const unit = response_minutes === null ? '60' : unitOf(response_minutes)
  return {
    has_target: response_minutes !== null,
    amount: (response_minutes === null ? 1 : response_minutes / Number(unit)) as number | string,
    unit,
    score_rules: score_rules.map((rule, index): Rule => ({ ...rule, id: String(index) })),
  }
}

/** How leads are scored, and how soon they are answered: for leads of every source. */
export function LeadSettingsTab() {
  const settings = useQuery(leadSettingsQuery)
  return (
    <Loaded query={settings} what="the lead settings" height={320}>
      {(settings) => <SettingsForm settings={settings} />}
    </Loaded>
  )
}

function SettingsForm({ settings }: { settings: LeadSettings }) {
  const changed = useLeadsChanged()
  const made = useForm({
    input: rulesOf(
      () => import('../../../../contract/leads.ts'),
      ({ leads }) => leads.updateLeadSettings.input,
    ),
    initial: valuesOf(settings),
    ask: ({ has_target, amount, unit, score_rules }: ReturnType<typeof valuesOf>) => ({
      response_minutes: has_target ? Number(amount) * Number(unit) : null,
      score_rules: score_rules.map(({ id: _, points, ...rule }) => ({ ...rule, points: Number(points) })),
    }),
    send: api.updateLeadSettings,
    read: valuesOf,
    onDone: () => {
      say('Lead settings saved')
      return changed()
    },
  })
  const { form, values, change, number, choice, checked, errors } = made
  return (
    <Form of={form} sections>
      <Section
        title="Score"
        about="The score of a lead is the sum of the points of all rules that match. Without rules, users set it."
      >
        <ScoreRules rules={values.score_rules} errors={errors} onChange={(score_rules) => change({ score_rules })} />
      </Section>
      <Section
        title="First response"
        about="The owner is notified when a lead has had no call or email within this working time. A new target only applies to leads that arrive later."
      >
        <div className={css.fields}>
          <Switch label="Set a target" {...checked('has_target')} />
          {values.has_target && (
            <div className={css.target}>
              <NumberField label="Within" min={1} isWhole {...number('amount')} error={errors.response_minutes} />
              <Select aria-label="Unit" data={units} {...choice('unit')} />
            </div>
          )}
        </div>
      </Section>
      <FormBar of={made} save="Save lead settings" />
    </Form>
  )
}

type RulesProps = { rules: Rule[]; errors: Record<string, string>; onChange: (rules: Rule[]) => void }

function ScoreRules({ rules, errors, onChange }: RulesProps) {
  const leads = useLeadsObject()
  const set = (id: string, patch: Partial<Rule>) =>
    onChange(rules.map((rule) => (rule.id === id ? { ...rule, ...patch } : rule)))
  return (
    <>
      {rules.length > 0 && (
        <Sortable
          label="Score rules"
          className={css.rules}
          items={rules}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name || 'the new rule'}
          onMove={(from, to) => onChange(moved(rules, from, to))}
        >
          {(rule, index) => (
            <>
              <div className={css.scoring}>
                <TextInput
                  aria-label={`Name of rule ${index + 1}`}
                  placeholder="Name, such as Business address"
                  autoComplete="off"
                  value={rule.name}
                  error={errors[`score_rules.${index}.name`]}
                  onChange={(event) => set(rule.id, { name: event.currentTarget.value })}
                />
                <NumberField
                  aria-label={`Points of rule ${index + 1}`}
                  unit="points"
                  isWhole
                  min={-1000}
                  max={1000}
                  value={rule.points}
                  error={errors[`score_rules.${index}.points`]}
                  onChange={(points) => set(rule.id, { points })}
                />
                <div>
                  {leads && (
                    <FilterBar object={leads.key} value={rule.filter} onChange={(filter) => set(rule.id, { filter })} />
                  )}
                  {errors[`score_rules.${index}.filter`] ? (
                    <FieldError>{rule.filter ? errors[`score_rules.${index}.filter`] : 'Add a condition'}</FieldError>
                  ) : (
                    leads && rule.filter && <Matches object={leads.key} filter={rule.filter} />
                  )}
                </div>
              </div>
              <IconButton
                icon={X}
                label={`Remove ${rule.name || `rule ${index + 1}`}`}
                onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
              />
            </>
          )}
        </Sortable>
      )}
      <AddButton
        disabled={rules.length >= mostRules}
        onClick={() => onChange([...rules, { id: crypto.randomUUID(), name: '', filter: '', points: 10 }])}
      >
        Add rule
      </AddButton>
    </>
  )
}

/** How many leads there are now that a rule would count for. */
function Matches({ object, filter }: { object: string; filter: string }) {
  const { data } = useQuery({
    queryKey: ['website-leads', 'matches', object, filter],
    queryFn: ({ signal }) => api.countRecords({ object, filter }, { signal }),
    retry: false,
  })
  if (!data) return null
  const count = `${asNumber(data.count)}${data.is_exact ? '' : ' or more'}`
  return (
    <p className={css.count} role="status">
      Matches {count} {data.count === 1 ? 'lead' : 'leads'}
    </p>
  )
}
