// Indexes the words of messages again, after the way to split them has changed (search-words.ts).
import { sql } from 'kysely'
import { joining, Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { searchOf, wordsVersion } from '../thread/search-words.ts'

const step = 1000
const first = '00000000-0000-0000-0000-000000000000'

/** In small batches, so that no one waits long. */
export async function reindexMessages(db: Db, signal: AbortSignal) {
  const outdated = db.selectFrom('companies').select('id').where('message_index_version', '<', wordsVersion)
  for (const { id } of await outdated.execute()) {
    for (let after: string | undefined = first; after; ) {
      if (signal.aborted) return
      after = await reindexSome(db, id, after)
    }
    await db.updateTable('companies').set({ message_index_version: wordsVersion }).where('id', '=', id).execute()
  }
}

/** Version 2 changed only scripts without spaces: Thai, Lao, Myanmar, Khmer, Chinese and Japanese. Version 3 has names of files. */
const changed =
  '[\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u9FFF\\uF900-\\uFAFF\\uFF66-\\uFF9D\\U00020000-\\U0003FFFF]'

type Row = { id: string; texts: (string | null)[] | null }

/** Returns the ID to continue after, if there are more. */
const reindexSome = (db: Db, company_id: string, after: string) =>
  transaction(db, async (tx) => {
    const { rows } = await sql<Row>`
      select m.id, case when concat_ws(' ', m.subject, m.text, m.from_name, m.recipients::text) ~ ${changed} or m.files <> '[]' then
        array[m.subject, m.text, m.from_address, m.from_name] || array(select unnest(array[r ->> 'address', r ->> 'name'])
          from jsonb_array_elements(m.recipients) r) || array(select f ->> 'name' from jsonb_array_elements(m.files) f
          where f -> 'is_inline' <> 'true') end as texts
      from messages m where m.company_id = ${company_id} and m.id > ${after} and m.kind <> 'event' order by m.id limit ${step} for update`.execute(
      tx,
    )
    const fresh = rows.flatMap(({ id, texts }) =>
      texts ? [{ company_id, id, search: searchOf(...texts.map((text) => text ?? '')) }] : [],
    )
    if (fresh.length) {
      const params = new Params()
      const { from, where } = joining('messages', fresh, { id: 'uuid' }, params)
      await run(tx, `update messages t set search = x.search from ${from} where ${where}`, params)
    }
    return rows.length === step ? rows.at(-1)!.id : undefined
  })
