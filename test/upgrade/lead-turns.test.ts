import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../server/platform/migrate.ts'
import { testDatabase } from '../database.ts'
import { oldMigrations } from '../old-migrations.ts'

test('after the upgrade, the next user of every rule of a lead source is the one who was next before', async () => {
  const { owner, ownerDb: db } = await testDatabase({ from: 'template0' })
  await migrate(owner, oldMigrations('0055'))
  await sql`alter table lead_sources drop constraint lead_sources_company_id_fkey`.execute(db)
  const sources = [
    { turns: 7, assignment: [{ user_ids: ['a', 'b'] }, { user_ids: ['c', 'd', 'e'] }] },
    { turns: 0, assignment: [] },
  ]
  for (const { turns, assignment } of sources)
    await sql`insert into lead_sources (company_id, id, name, owner_id, settings, turns, created_at)
      values (${randomUUIDv7()}, ${randomUUIDv7()}, 'Website', ${randomUUIDv7()}, ${JSON.stringify({ assignment })}::jsonb,
        ${turns}, now())`.execute(db)
  await migrate(owner)
  const { rows } = await sql`select rule_turns from lead_sources order by id`.execute(db)
  expect(rows).toEqual([{ rule_turns: ['7', '7'] }, { rule_turns: [] }])
})
