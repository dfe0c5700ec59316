// The folders of a mailbox: what is on its server, and what is here.
import { sql } from 'kysely'
import type { channels } from '../../../contract/channels.ts'
import type { Output } from '../../../contract/operation.ts'
import type { Db } from '../../platform/db.ts'
import type { ChannelRow } from './channel.ts'

export type FolderState = {
  path: string
  role: Output<typeof channels.getChannel>['folders'][number]['role']
  server_count: number | null
  our_count: number
  /** Messages that could not be read. */
  faults: number
  last_uid: number
  last_success_at: Date | null
  last_error: string | null
  last_error_at: Date | null
}

export async function folderStates(db: Db, { company_id, id }: Pick<ChannelRow, 'company_id' | 'id'>) {
  const { rows } = await sql<FolderState>`
    select f.path, f.role, f.server_count, f.our_count, f.last_uid::float8 as last_uid, f.last_success_at, f.last_error,
      f.last_error_at, (select count(*)::int from message_places p where p.company_id = ${company_id}
        and p.channel_id = ${id} and p.path = f.path and p.message_id is null) as faults
    from channel_folders f where f.company_id = ${company_id} and f.channel_id = ${id}
    order by array_position(array['inbox', 'sent', 'archive', 'other'], f.role), f.path`.execute(db)
  return rows
}
