// A merged ID leads to the record that was kept until the merged record is restored, and again if that is undone.
import { actorOf } from '../../kernel/context.ts'
import type { Target } from '../schema/target.ts'
import { actionOf, type Change } from '../values/change.ts'

export function updateRedirects({ context }: Target, changes: Change[]) {
  const { company_id } = actorOf(context)
  const restored = changes.filter((change) => actionOf(change) === 'restored').map(({ after }) => after.id)
  if (restored.length)
    context.write(
      (params) => `update record_merges set ended_by = ${params.add(context.change_set_id, 'uuid')}
        where company_id = ${params.add(company_id, 'uuid')} and merged_id = any(${params.add(restored, 'uuid[]')})
          and ended_by is null`,
    )
  const deletedAgain = changes.filter((change) => change.undoes && actionOf(change) === 'deleted')
  if (deletedAgain.length)
    context.write(
      (params) => `update record_merges set ended_by = null where company_id = ${params.add(company_id, 'uuid')}
        and merged_id = any(${params.add(
          deletedAgain.map(({ after }) => after.id),
          'uuid[]',
        )}) and ended_by = any(${params.add(deletedAgain[0]!.undoes, 'uuid[]')})`,
    )
}
