// Bare node:http and pg with a handwritten search on one table of people: [connection as JSON]
import { createServer } from 'node:http'
import { findActorByKey } from '../server/accounts/api-keys/find-actor.ts'
import { createPool } from '../server/platform/db.ts'
import { listening } from './serve.ts'

const pool = createPool(JSON.parse(process.argv[2]!))
/** One condition for each word: a list of patterns would not use the index. */
const search = (words: string[]) => `select id, title, emails[1] as detail from people_search
  where company_id = $1 and ${words.map((_, i) => `search like $${i + 4}`).join(' and ')} and deleted_at is null
  order by title ilike $2 desc, id desc limit $3`
// Like Kith, looks for typos if there are fewer than five matches.
const similar = `select id, title, emails[1] as detail from people_search
  where company_id = $1 and search ~ $2 and word_similarity($3, lower(title)) >= 0.3 and deleted_at is null
  order by word_similarity($3, lower(title)) desc, id desc limit $4`

// And for records that have some of the words.
const some = (words: string[]) => `select id, title, emails[1] as detail from people_search
  where company_id = $1 and (${words.map((_, i) => `search like $${i + 3}`).join(' or ')}) and deleted_at is null
  order by ${words.map((_, i) => `(search like $${i + 3})::int`).join(' + ')} desc, id desc limit $2`

const server = createServer(async (request, response) => {
  const actor = await findActorByKey(pool, String(request.headers['x-api-key']))
  const { searchParams } = new URL(request.url!, 'http://localhost')
  const [q, limit] = [searchParams.get('q')!, Number(searchParams.get('limit'))]
  const words = q.split(' ').map((word) => `%${word}%`)
  const values = [actor!.company_id, `${q}%`, limit, ...words]
  let { rows } = await pool.query({ name: `search ${words.length}`, text: search(words), values })
  const half = Math.ceil(q.length / 2)
  const typo = ` ${q.slice(0, half)}|${q.slice(half)}`
  if (rows.length < 5 && words.length === 1)
    rows = [
      ...rows,
      ...(await pool.query({ name: 'similar', text: similar, values: [actor!.company_id, typo, q, limit] })).rows,
    ]
  if (rows.length < 5 && words.length > 1) {
    const values = [actor!.company_id, limit, ...words]
    rows = (await pool.query({ name: `some ${words.length}`, text: some(words), values })).rows
  }
  const body = JSON.stringify({ items: rows })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
  response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
