// The first reading of a mailbox, as a job that people see. The process that holds the mailbox does the work.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { ownersOf } from '../../inbox/access/announce.ts'
import { announce } from '../../kernel/live-channel.ts'
import type { Session } from './session.ts'

type Progress = {
  job_id: string | null
  state: string | null
  is_cancelled: boolean
  total: number
  done: number
  is_complete: boolean
}

/** Writes how far it is. False: someone has cancelled it. */
export async function noteFirstSync({ db, channel, clock }: Session): Promise<boolean> {
  const { company_id, id } = channel
  const { rows } = await sql<Progress>`
    select j.id as job_id, j.state, j.cancelled_by is not null as is_cancelled, f.* from
      (select coalesce(sum(server_count), 0)::int as total, coalesce(sum(our_count), 0)::int as done,
        coalesce(bool_and(is_complete), false) as is_complete
      from channel_folders where company_id = ${company_id} and channel_id = ${id}) f
    left join jobs j on j.company_id = ${company_id} and j.kind = 'mailbox_sync' and j.input ->> 'channel_id' = ${id}`.execute(
    db,
  )
  const { job_id, state, is_cancelled, total, done, is_complete } = rows[0]!
  if (!job_id) {
    if (!is_complete) await begin({ db, channel, clock }, total, done)
    return true
  }
  if (state !== 'running') return true
  const next = is_cancelled ? 'cancelled' : is_complete ? 'done' : 'running'
  await sql`update jobs set state = ${next}, total = ${total}, done = ${done}, changed = ${done},
      finished_at = ${next === 'running' ? null : clock()}
    where company_id = ${company_id} and id = ${job_id} and state = 'running'`.execute(db)
  await announceJob({ db, channel }, job_id)
  return !is_cancelled
}

async function begin({ db, channel, clock }: Pick<Session, 'db' | 'channel' | 'clock'>, total: number, done: number) {
  const { company_id, id } = channel
  const job_id = randomUUIDv7()
  const now = clock()
  await sql`insert into jobs (company_id, id, kind, state, input, total, done, change_set_id, created_by, door, request_id,
      created_at, started_at)
    select ${company_id}::uuid, ${job_id}::uuid, 'mailbox_sync', 'running', ${JSON.stringify({ channel_id: id })}::jsonb,
      ${total}, ${done}, ${randomUUIDv7()}::uuid, c.created_by, 'web', ${job_id}, ${now}, ${now}
    from channels c where c.company_id = ${company_id} and c.id = ${id} and c.created_by is not null`.execute(db)
  await announceJob({ db, channel }, job_id)
}

/** Of a private mailbox, only its owner hears. */
async function announceJob({ db, channel }: Pick<Session, 'db' | 'channel'>, id: string) {
  const { company_id } = channel
  const user_id = channel.owner_id && (await ownersOf({ db }, company_id, [channel.id])).get(channel.id)
  const about = { event: 'jobs', data: { id, kind: 'mailbox_sync' } }
  await announce(db, [{ company_id, ...(user_id && { user_id }), ...about }])
}
