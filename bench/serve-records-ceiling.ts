// Bare node:http and pg with handwritten statements for one table of people: [connection as JSON]
import { randomUUIDv7 } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { findActorByKey } from '../server/accounts/api-keys/find-actor.ts'
import { createPool } from '../server/platform/db.ts'
import { listening } from './serve.ts'

type Person = Record<string, unknown> & {
  id: string
  created_at: Date
  updated_at: Date
  last_activity_at: Date | null
}

const pool = createPool(JSON.parse(process.argv[2]!))
const own = ['first_name', 'last_name', 'emails', 'phones', 'job_title', 'status', 'score', 'city', 'country']
own.push('linkedin', 'birthday', 'source', 'consent', 'notes_text', 'visits')
const columns = [
  'id, version, title, owner_id, created_at, created_by, updated_at, last_activity_at',
  own.map((name) => (name === 'birthday' ? 'birthday::text' : name)),
].join(', ')
const from = `select ${columns} from people_typed where company_id = $1 and deleted_at is null`
const typed = 'from people_typed where company_id = $1 and deleted_at is null'
const sums = 'count(*)::int, sum(visits)::float8'
const statements = {
  countByStatus: `select status as k0, grouping(status) as total, count(*)::int ${typed} group by grouping sets ((status), ())`,
  sumOfActive: `select 1 as total, ${sums}, round(avg(score), 6)::float8 as avg ${typed} and status = 'active'`,
  sumByMonthAndStatus: `select date_trunc('month', created_at at time zone 'UTC')::date::text as k0, status as k1,
    grouping(status) as total, ${sums} ${typed} group by grouping sets ((1, status), ())`,
  topCountries: `with by_country as (select country, count(*) as count, sum(visits) as sum ${typed} group by country),
      ranked as (select *, row_number() over (order by sum desc nulls last) as place from by_country)
    select case when place <= 10 then country end as k0, 0 as total, sum(count)::int as count, sum(sum)::float8 as sum
      from ranked group by place > 10, 1
    union all select null, 1, sum(count)::int, sum(sum)::float8 from ranked`,
  one: `${from} and id = $2`,
  active: `${from} and status = $2 and score > $3 order by id desc limit $4`,
  named: `${from} and lower(last_name) = lower($2) order by id desc limit $3`,
  visited: `${from} and visits = $2 order by id desc limit $3`,
  mostVisits: `${from} order by visits desc nulls last, id desc limit $2`,
  insert: `insert into people_typed (company_id, id, version, title, owner_id, created_at, created_by, updated_at,
    ${own.join(', ')}) values ($1, $2, 1, $3, $4, $5, $4, $5, ${own.map((_, i) => `$${i + 6}`).join(', ')})`,
}

const query = async (name: keyof typeof statements, values: unknown[]) =>
  (await pool.query<Person>({ name, text: statements[name], values })).rows

const server = createServer(async (request, response) => {
  const actor = await findActorByKey(pool, String(request.headers['x-api-key']))
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const answer = actor && (await answerTo(actor, request, pathname.slice('/people/'.length), searchParams))
  const body = JSON.stringify(answer)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
  response.writeHead(actor ? 200 : 401, headers).end(body)
})

type Actor = { company_id: string; user_id: string }

async function answerTo(actor: Actor, request: IncomingMessage, what: string, asked: URLSearchParams) {
  if (request.method === 'POST') return create(actor, request)
  const limit = Number(asked.get('limit'))
  const list = async (name: keyof typeof statements, ...values: unknown[]) =>
    page(await query(name, [actor.company_id, ...values, limit + 1]), limit)
  if (what in numbers) return numbersOf(what as keyof typeof numbers, actor)
  if (what === 'active') return list('active', 'active', asked.get('above'))
  if (what === 'named') return list('named', asked.get('last_name'))
  if (what === 'visited') return list('visited', asked.get('times'))
  if (what === 'most-visits') return list('mostVisits')
  return shown((await query('one', [actor.company_id, what]))[0]!)
}

const numbers = {
  'count-by-status': 'countByStatus',
  'sum-of-active': 'sumOfActive',
  'sum-by-month-and-status': 'sumByMonthAndStatus',
  'top-countries': 'topCountries',
} as const

async function numbersOf(what: keyof typeof numbers, { company_id }: Actor) {
  const rows = await query(numbers[what], [company_id])
  const values = ({ count, sum, avg }: Record<string, unknown>) => ({
    count,
    ...(sum !== undefined && { 'sum(visits)': sum }),
    ...(avg !== undefined && { 'average(score)': avg }),
  })
  const keys = ({ k0, k1 }: Record<string, unknown>) => (k1 === undefined ? [k0] : [k0, k1])
  const groups = rows.filter(({ total }) => !total).map((row) => ({ keys: keys(row), values: values(row) }))
  return { totals: values(rows.find(({ total }) => total)!), groups }
}

function page(rows: Person[], limit: number) {
  const records = rows.slice(0, limit)
  const last = rows.length > limit && records.at(-1)
  const cursor = last && Buffer.from(JSON.stringify([last.visits, last.id])).toString('base64url')
  return { records: records.map(shown), next_cursor: cursor || null, untrusted_fields: ['title', 'notes_text'] }
}

function shown(row: Person) {
  const all: Record<string, unknown> = {
    id: row.id,
    version: row.version,
    title: row.title,
    owner: row.owner_id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at.toISOString(),
    last_activity_at: row.last_activity_at?.toISOString() ?? null,
  }
  for (const name of own) if (row[name] !== null && row[name] !== undefined) all[name] = row[name]
  return all
}

async function create({ company_id, user_id }: Actor, request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  const values = JSON.parse(text).records[0]
  const now = new Date()
  const [id, title] = [randomUUIDv7(), `${values.first_name} ${values.last_name}`]
  await query('insert', [company_id, id, title, user_id, now, ...own.map((name) => values[name] ?? null)])
  const system = { version: 1, title, owner_id: user_id, created_by: user_id, created_at: now, updated_at: now }
  const record = shown({ id, ...system, last_activity_at: null, ...values })
  return { records: [record], change_set_id: id, dry_run: false }
}

server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
