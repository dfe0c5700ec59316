import { X } from 'lucide-react'
import { useId } from 'react'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { AddButton } from '../../../ui/form/add-button.tsx'
import { FieldError } from '../../../ui/form/field-group.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import { UsersSelect } from '../../../users/users-select.tsx'
import css from './handling.module.css'
import { useLeadsObject } from './lead-source.ts'

type Rule = { id: string; filter: string; user_ids: string[] }
type Props = { rules: Rule[]; errors: Record<string, string>; onChange: (rules: Rule[]) => void }

const mostRules = 50

/** The first rule whose filter matches decides; its members take turns. */
export function Assignment({ rules, errors, onChange }: Props) {
  const leads = useLeadsObject()
  const labelId = useId()
  const set = (id: string, patch: Partial<Rule>) =>
    onChange(rules.map((rule) => (rule.id === id ? { ...rule, ...patch } : rule)))
  return (
    <section aria-labelledby={labelId}>
      <div id={labelId} className={css.label}>
        Assignment
      </div>
      <p className={css.hint}>The first matching rule applies. Several users are assigned round robin.</p>
      {rules.length > 0 && (
        <Sortable
          label="Assignment rules"
          className={css.rules}
          items={rules}
          keyOf={({ id }) => id}
          nameOf={({ id }) => `rule ${rules.findIndex((rule) => rule.id === id) + 1}`}
          onMove={(from, to) => onChange(moved(rules, from, to))}
        >
          {(rule, index) => (
            <>
              <div className={css.rule}>
                <div>
                  <div className={css.small}>
                    {rule.filter ? 'Leads that match' : index > 0 ? 'All other leads' : 'All leads'}
                  </div>
                  {leads && (
                    <FilterBar object={leads.key} value={rule.filter} onChange={(filter) => set(rule.id, { filter })} />
                  )}
                  <FieldError>{errors[`assignment.${index}.filter`]}</FieldError>
                </div>
                <div>
                  <div className={css.small}>Go to</div>
                  <UsersSelect
                    aria-label={`Users of rule ${index + 1}`}
                    placeholder="Choose users"
                    value={rule.user_ids}
                    error={errors[`assignment.${index}.user_ids`]}
                    onChange={(user_ids) => set(rule.id, { user_ids })}
                  />
                </div>
              </div>
              <IconButton
                icon={X}
                label={`Remove rule ${index + 1}`}
                onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
              />
            </>
          )}
        </Sortable>
      )}
      <AddButton
        disabled={rules.length >= mostRules}
        onClick={() => onChange([...rules, { id: crypto.randomUUID(), filter: '', user_ids: [] }])}
      >
        Add rule
      </AddButton>
    </section>
  )
}
