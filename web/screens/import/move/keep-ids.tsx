import { Button } from '@mantine/core'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { freeKey } from '../../../records/data/field-keys.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import css from './move.module.css'
import type { Plan, Planned } from './plan.ts'

type Props = { planned: Planned[]; system: Plan['system'] }

const keepingIds = ['keep ids']
/** The columns are read again, into the new fields. */
export const useKeepingIds = () => useIsMutating({ mutationKey: keepingIds }) > 0

/** Offers fields for the IDs of the old system: by them, files name each other's records, and a later export updates them. */
export function KeepIds({ planned, system }: Props) {
  const client = useQueryClient()
  const { may } = useSignedIn()
  const label = `${system ?? 'Previous'} ID`
  const lacking = [
    ...new Map(
      planned.flatMap(({ into, preview }): [string, ObjectShape][] =>
        into && preview?.old_ids?.field === null && !hasField(into, label) ? [[into.key, into]] : [],
      ),
    ).values(),
  ]
  const add = useMutation({
    mutationKey: keepingIds,
    mutationFn: async () => {
      for (const { key: object, fields } of lacking) {
        const key = freeKey(label, new Set(fields.map(({ key }) => key)), 'previous_id')
        await api.createField({ object, key, label, type: 'text', is_unique: true })
      }
    },
    onSuccess: () => say(`${label} added`),
    onError: (error) => complain('Not all fields were added', error),
    onSettled: async () => {
      for (const key of ['schema', 'move plan', 'import preview']) await client.invalidateQueries({ queryKey: [key] })
    },
  })
  if (!lacking.length || !may('objects.manage')) return null
  const names = new Intl.ListFormat('en').format(lacking.map(({ label_plural }) => label_plural))
  return (
    <section className={css.ids} aria-labelledby="keep-ids">
      <KeyRound size={18} />
      <div>
        <h3 id="keep-ids">Keep the IDs from {system ?? 'the old system'}?</h3>
        <p>
          With them, files find each other’s records even if names are shared, and a later export brings only what has
          changed. This adds the field “{label}” to {names}.
        </p>
      </div>
      <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
        Keep the IDs
      </Button>
    </section>
  )
}

const hasField = ({ fields }: ObjectShape, label: string) =>
  fields.some((field) => field.label === label && field.is_unique && !field.is_archived)
