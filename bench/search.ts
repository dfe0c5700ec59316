// Search among 100,000 and 1,000,000 people, compared with handwritten SQL that searches a typed table by trigrams.
// RECORDS=100000 runs one size; RECORDS_FOLDER keeps the people, as in records.ts.
import { join } from 'node:path'
import pg from 'pg'
import { compare } from './harness.ts'
import { rare } from './records-people.ts'
import { prepare } from './records-place.ts'
import { serve } from './serve.ts'

const sizes = process.env.RECORDS ? [Number(process.env.RECORDS)] : [100_000, 1_000_000]
/**
 * We also search names in other scripts and words of related records, rank what is found and read whole records. So the
 * handwritten query may be up to seven times as fast where few records match.
 */
const bar = 0.15
const questions = {
  'a rare name': rare.last_name.toLowerCase(),
  'a common first name': 'lukasz',
  'a first name and a city': 'lukasz warszawa',
  'a word that many have': 'sales',
  'a typo': 'quilfeather',
}

for (const size of sizes) {
  const place = await prepare(size)
  try {
    await addSearch(place.connection)
    const json = JSON.stringify(place.connection)
    const ceiling = await serve(join(import.meta.dirname, 'serve-search-ceiling.ts'), json)
    for (const [name, q] of Object.entries(questions)) {
      const asked = `q=${encodeURIComponent(q)}&limit=12`
      const request = { method: 'GET', headers: { 'x-api-key': place.key } }
      const sides = {
        ours: () => ({ ...request, port: place.ours.port, path: `/api/v1/search?${asked}` }),
        ceiling: () => ({ ...request, port: ceiling.port, path: `/?${asked}` }),
      }
      const title = `search, ${size.toLocaleString('en')}: ${name}`
      await compare(title, sides, { connections: 1, seconds: 4, bar }).catch((error) => {
        console.log(`\n${title} failed: ${error.message}`)
      })
    }
    await ceiling.stop()
  } finally {
    await place.stop()
  }
}

/** The same text and a trigram index, beside the columns of the typed table. */
async function addSearch(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(`select to_regclass('people_search') is not null as is_there`)
  if (!rows[0].is_there) {
    await client.query(`create table people_search as select t.company_id, t.id, t.title, t.emails, t.deleted_at, r.search
      from people_typed t join records r on r.company_id = t.company_id and r.id = t.id`)
    await client.query('create index on people_search using gin (search gin_trgm_ops) where deleted_at is null')
    await client.query('vacuum analyze people_search')
  }
  await client.end()
}
