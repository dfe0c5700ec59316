import { Button } from '@mantine/core'
import { Users } from 'lucide-react'
import { mappedFields, useImportFieldsOf } from '../choices.ts'
import css from './move.module.css'
import type { Plan, Planned } from './plan.ts'

type Props = Pick<Plan, 'system' | 'users'> & { planned: Planned[]; onAdd: () => void }

const userId = /^005[a-z0-9]{3,15}$/i

/** Salesforce names users by IDs, and only its file of users says who they are. */
export function AddUsers({ planned, system, users, onAdd }: Props) {
  const fieldsOf = useImportFieldsOf()
  if (system !== 'Salesforce' || Object.keys(users).length) return null
  const samples = planned.flatMap(({ into, choices, preview }) => {
    if (!into || !preview) return []
    const mapped = mappedFields(fieldsOf(into), choices, preview)
    const ofUsers = new Set(mapped.flatMap(({ column, field }) => (field.type === 'user' ? [column] : [])))
    return preview.columns.flatMap(({ column, samples }) => (ofUsers.has(column) ? samples : []))
  })
  const example = samples.find((sample) => userId.test(sample))
  if (!example) return null
  return (
    <section className={css.ids} aria-labelledby="add-users">
      <Users size={18} />
      <div>
        <h3 id="add-users">Who owns these records?</h3>
        <p>
          These files name owners by ID, such as {example}. Export User.csv as well (Setup → Data Export → User) and add
          it here: owners are then found by their email addresses. Without it, you choose who each ID is after the
          check.
        </p>
      </div>
      <Button variant="default" onClick={onAdd}>
        Add a file
      </Button>
    </section>
  )
}
