// Pages of 50 out of 100,000 people in 5,000 organizations, sorted by indexed fields and by titles and fields of a
// relation, compared with a handwritten join. Measures the first page, the second, and a filtered one.
import pg from 'pg'
import { median } from './harness.ts'
import { prepare } from './records-place.ts'

const size = Number(process.env.RECORDS ?? 100_000)
const organizations = 5_000
const bar = 300
const through = ['organization.country', '-organization.size', 'organization.created_at']
const sorts = [
  'organization',
  '-organization',
  ...through,
  'status',
  'title',
  'created_at',
  '-last_activity_at',
  '-visits',
]

const place = await prepare(size)
const client = new pg.Client(place.connection)
try {
  await client.connect()
  await linkPeople()
  const worst = Math.max(...(await measureAll()))
  const byHand = await reference()
  console.log(`\njoin by hand, first page            ${byHand.toFixed(1)} ms`)
  console.log(`\n  ${worst <= bar ? 'met   ' : 'MISSED'}  slowest sort ${worst.toFixed(1)} ms  (at most ${bar} ms)`)
} finally {
  await client.end()
  await place.stop()
}

/** Organizations via the API, their links by SQL, and a last activity for every second person. */
async function linkPeople() {
  for (let from = 0; from < organizations; from += 100)
    await call('POST', '/records/organizations', {
      records: Array.from({ length: 100 }, (_, i) => ({
        name: `Firm ${((from + i) * 7919) % organizations}`,
        country: ['AT', 'DE', 'US', 'FR'][i % 4],
        ...(i % 5 > 0 && { size: (i * 31) % 1000 }),
      })),
    })
  await client.query(`
    insert into links (company_id, field_id, from_id, to_id)
    select p.company_id, f.id, p.id, o.id
      from (select r.*, row_number() over (order by r.id) n from records r join objects b on b.id = r.object_id
        where b.key = 'people') p
      join (select r.id, row_number() over (order by r.id) n from records r join objects b on b.id = r.object_id
        where b.key = 'organizations') o on o.n = 1 + p.n * 31 % ${organizations}
      join fields f on f.company_id = p.company_id and f.object_id = p.object_id and f.key = 'organization'
      where p.n % 10 > 0`)
  await client.query(`update records set last_activity_at = created_at + interval '1 day'
    where object_id in (select id from objects where key = 'people') and hashtext(id::text) % 2 = 0`)
  await client.query('vacuum analyze')
}

async function measureAll() {
  const all: number[] = []
  for (const sort of sorts) {
    const list = (more: string) => call('GET', `/records/people?limit=50&sort=${sort}${more}`)
    const { next_cursor } = await list('')
    const asked = ['', `&cursor=${encodeURIComponent(next_cursor)}`, '&filter=status%20%3D%20active']
    const took = [] as number[]
    for (const more of asked) took.push(await timed(() => list(more)))
    console.log(`${sort.padEnd(20)} first, second, filtered  ${took.map((ms) => `${ms.toFixed(1)} ms`).join('  ')}`)
    all.push(...took)
  }
  return all
}

function reference() {
  return timed(() =>
    client.query(`select r.id, r.values from records r
      join objects b on b.id = r.object_id and b.key = 'people'
      join fields f on f.object_id = b.id and f.key = 'organization'
      left join links l on l.company_id = r.company_id and l.from_id = r.id and l.field_id = f.id
      left join records o on o.company_id = l.company_id and o.id = l.to_id
      where r.deleted_at is null order by o.title, r.id limit 50`),
  )
}

async function timed(work: () => Promise<unknown>) {
  const took: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  return median(took)
}

async function call(method: string, path: string, body?: unknown) {
  const headers = { 'x-api-key': place.key, ...(body !== undefined && { 'content-type': 'application/json' }) }
  for (;;) {
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await fetch(`http://localhost:${place.ours.port}/api/v1${path}`, sent)
    if (answer.ok) return answer.json()
    if (answer.status !== 429) throw new Error(await answer.text())
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
  }
}
