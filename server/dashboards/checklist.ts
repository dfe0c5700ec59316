// What a new company still has to do. Admins see it until all is done.
import { sql } from 'kysely'
import { actorOf, type Context } from '../kernel/context.ts'

/** With this many people, organizations and deals, a company has begun, however they came in. */
const fewRecords = 10

export async function checklist(context: Context) {
  const { company_id, user_id, is_admin } = actorOf(context)
  if (!is_admin) return []
  // What sample data brought along is no step that someone took.
  const demo = context.db.selectFrom('installation').select('value').where('name', '=', `demo ${company_id}`)
  const since = sql`${(await demo.executeTakeFirst())?.value ?? '-infinity'}::timestamptz`
  const { rows } = await sql<Record<'imported' | 'invited' | 'chosen' | 'reading' | 'connected', boolean>>`
    select
      exists (select 1 from audit_events where company_id = ${company_id} and action = 'records.imported' and at > ${since})
        or (select count(*) >= ${fewRecords} from (select 1 from records r join objects o on o.company_id = ${company_id} and o.id = r.object_id
          where r.company_id = ${company_id} and r.created_at > ${since} and o.built_in_key in ('people', 'organizations', 'deals') limit ${fewRecords}) few) as imported,
      exists (select 1 from users where company_id = ${company_id} and removed_at is null and id <> ${user_id}
        and created_at > ${since}) as invited,
      exists (select 1 from audit_events where company_id = ${company_id}
        and action in ('company.updated', 'schema.updated') and at > ${since}) as chosen,
      exists (select 1 from channels where company_id = ${company_id} and disconnected_at is null
        and created_at > ${since} and (owner_id is null or is_shared or owner_id = ${user_id})) as reading,
      exists (select 1 from api_key_uses where company_id = ${company_id} and last_used_at > ${since}) as connected`.execute(
    context.db,
  )
  const { imported, invited, chosen, reading, connected } = rows[0]!
  // Not every company wants a mailbox.
  if (imported && invited && chosen && connected) return []
  return [
    { step: 'import' as const, is_done: imported },
    { step: 'invite' as const, is_done: invited },
    { step: 'currency_and_stages' as const, is_done: chosen },
    { step: 'connect_mailbox' as const, is_done: reading },
    { step: 'connect_agent' as const, is_done: connected },
  ]
}
