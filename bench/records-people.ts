// Creates any number of people by SQL, stored as the product stores them and as rows of a typed table.
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { fold } from '../contract/filter/index.ts'
import { countryWords } from '../contract/regions/countries.ts'
import { homeOf } from '../server/demo/countries.ts'
import { cultures } from '../server/demo/cultures.ts'
import { type ObjectSchema, readSchema, type Schema } from '../server/engine/schema/schema.ts'
import { otherWritings } from '../server/engine/values/search-text.ts'
import { rowOf } from '../server/engine/values/to-row.ts'
import { createDb, createPool } from '../server/platform/db.ts'

/** Three people have each of these values. */
export const rare = { last_name: 'Quillfeather', visits: 4_242_424 }

const given = cultures.flatMap((culture) => culture.given)
const family = cultures.flatMap((culture) => culture.family)
/** Whether the family name comes first, without a space. */
const isEastern = (part: 'given' | 'family') =>
  cultures.flatMap((culture) => culture[part].map(() => culture.familyFirst === true))
const cities = cultures.flatMap(({ country, language }) =>
  homeOf(country, language).cities.map((city) => [city, country] as const),
)
const titles = ['Account manager', 'Sales lead', 'Head of operations', 'Procurement lead', 'Managing director']
const sources = ['Website', 'Referral', 'Trade fair', 'Cold call', 'Newsletter']
const note = 'Met at the fair in spring; asked for a second offer and for references from the same industry.'

export async function seedPeople(connection: pg.ClientConfig, count: number) {
  const schema = await schemaIn(connection)
  const client = new pg.Client(connection)
  await client.connect()
  // Building an index over all rows is faster than updating it row by row.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'records' and indexname <> 'records_pkey'`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`
    create function pg_temp.one_of(n int, i bigint, salt int) returns int immutable language sql
      as $$ select 1 + ((hashint8extended(i, salt) & 2147483647) % n)::int $$`)
  const countryTexts = cities.map(([, country]) => countryWords(country, schema.schema.language))
  const writings = (texts: string[]) => texts.flatMap((text) => otherWritings({ type: 'text', text })).join(' ')
  await client.query(insertPeople(schema), [
    schema.company_id,
    schema.people.id,
    schema.user_id,
    count,
    ...[given, family].flatMap((names) => [names.map(([written]) => written), names.map(([written]) => fold(written))]),
    given.map(([, latin]) => latin),
    family.map(([, latin]) => latin),
    ...[cities.map(([city]) => city), cities.map(([, country]) => country)].flatMap((words) => [
      words,
      words.map(fold),
    ]),
    titles,
    titles.map(fold),
    sources,
    sources.map(fold),
    isEastern('given'),
    isEastern('family'),
    countryTexts.map((words) => words.map(fold).join(' \n ')),
    ...[given, family].map((names) => names.map(([written]) => writings([written]))),
    cities.map(([city], i) => writings([city, ...countryTexts[i]!])),
  ])
  await client.query(
    `insert into unique_values select company_id, $1, match -> 'emails' ->> 0, id from records where match ? 'emails'`,
    [schema.people.byKey.get('emails')!.id],
  )
  for (const { definition } of indexes) await client.query(definition)
  for (const statement of typedTable) await client.query(statement)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

/** Deletes what an earlier run created, so that both tables have the same people again. */
export async function forgetCreated(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  for (const table of ['records', 'people_typed'])
    await client.query(`delete from ${table} where created_at > timestamptz '2024-10-01Z' + interval '25 months'`)
  await client.query('delete from unique_values u where not exists (select 1 from records r where r.id = u.record_id)')
  await client.query('truncate outbox, changes, change_sets cascade')
  await client.query('vacuum analyze')
  await client.end()
}

async function schemaIn(connection: pg.ClientConfig) {
  const pool = createPool(connection)
  const { rows } = await pool.query('select company_id, id as user_id from users')
  const schema = await readSchema(createDb(pool), rows[0].company_id)
  await pool.end()
  const owner = rows[0] as { company_id: string; user_id: string }
  return { ...owner, schema, people: schema.objects.get('people')! }
}

// The UUIDv7 of each person contains its creation time, spread evenly over two years.
const texts = ['first_name', 'last_name', 'job_title', 'city', 'country', 'linkedin', 'source']
const slotted = [...texts, 'status', 'score', 'birthday', 'consent', 'visits']
const insertPeople = ({ people }: { people: ObjectSchema }) => {
  const slot = (key: string) => people.byKey.get(key)!.slot!
  return `
  insert into records (company_id, object_id, owner_id, created_by, id, created_at, updated_at, version,
    values, match, search, title, ${slotted.map(slot).join(', ')})
  select $1::uuid, $2::uuid, $3::uuid, $3::uuid, id, made_at, made_at, 1,
    jsonb_strip_nulls(jsonb_build_object('first_name', first_name, 'last_name', last_name, 'emails', jsonb_build_array(email),
      'phones', phones, 'job_title', job_title, 'city', city, 'country', country, 'linkedin', linkedin, 'source', source,
      'notes_text', notes) || same),
    jsonb_strip_nulls(jsonb_build_object('title', folded_title,
      'emails', jsonb_build_array(email), 'phones', phones, 'notes_text', lower(notes))),
    ' ' || concat_ws(e' \\n ', folded_title, case when is_eastern then folded_first end,
      case when is_eastern then folded_last end, email, phones ->> 0, folded_job, folded_city, country_words, linkedin,
      folded_source, lower(notes), concat_ws(' ', ($22::text[])[g], ($23::text[])[f], '=' || email, email_name,
      'mail.example mail', '=' || substr(phones ->> 0, 2), ($24::text[])[c],
      case when linkedin is not null then '=in.example =in' end)) || e' \\n',
    title, folded_first, folded_last, folded_job, folded_city, folded_country, linkedin,
    folded_source, status, score, birthday, consent::text, visits
  from generate_series(1, $4::int) i
  cross join lateral (select
    pg_temp.one_of(${given.length}, i, 1) g, pg_temp.one_of(${family.length}, i, 2) f,
    pg_temp.one_of(${cities.length}, i, 3) c, pg_temp.one_of(${titles.length}, i, 4) j,
    pg_temp.one_of(${sources.length}, i, 5) s, pg_temp.one_of(10, i, 6) ten, pg_temp.one_of(10, i, 7) other_ten,
    i in ($4::int / 7, $4::int / 2, $4::int - 5) is_rare,
    date_trunc('milliseconds', timestamptz '2024-10-01Z' + i * (interval '2 years' / $4::int)) made_at) dice
  cross join lateral (select
    (lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8'
      || substr(md5(i::text), 4, 15))::uuid id,
    ($5::text[])[g] first_name, ($6::text[])[g] folded_first,
    case when is_rare then '${rare.last_name}' else ($7::text[])[f] end last_name,
    case when is_rare then '${fold(rare.last_name)}' else ($8::text[])[f] end folded_last,
    ($19::bool[])[g] and ($20::bool[])[f] and not is_rare is_eastern,
    ($9::text[])[g] || '.' || ($10::text[])[f] || '.' || i email_name,
    case when ten <= 6 then jsonb_build_array('+4930' || lpad(i::text, 8, '0')) end phones,
    ($11::text[])[c] city, ($12::text[])[c] folded_city, ($13::text[])[c] country, ($14::text[])[c] folded_country,
    ($21::text[])[c] country_words,
    ($15::text[])[j] job_title, ($16::text[])[j] folded_job, ($17::text[])[s] source, ($18::text[])[s] folded_source,
    case when ten <= 2 then 'https://in.example/' || ($9::text[])[g] || '-' || i end linkedin,
    case when ten = 10 then '${note}' end notes,
    (array['prospect', 'prospect', 'prospect', 'prospect', 'active', 'active', 'active', 'customer', 'customer', 'former'])[other_ten] status,
    pg_temp.one_of(101, i, 8) - 1 score,
    case when ten <= 3 then (date '1950-01-01' + pg_temp.one_of(18000, i, 9))::text end birthday,
    case when ten > 1 then ten > 4 end consent,
    case when is_rare then ${rare.visits} when other_ten > 1 then pg_temp.one_of(100000, i, 10) end visits) person
  cross join lateral (select email_name || '@mail.example' email,
    case when is_eastern then last_name || first_name else first_name || ' ' || last_name end title,
    case when is_eastern then folded_last || folded_first else folded_first || ' ' || folded_last end folded_title) called
  cross join lateral (select jsonb_build_object('status', status, 'score', score, 'birthday', birthday,
    'consent', consent, 'visits', visits) same) kept
  order by i`
}

/** The table that someone would write by hand for just these queries. */
const typedTable = [
  `create table people_typed (company_id uuid not null, id uuid not null, version int not null, title text not null,
    owner_id uuid, created_at timestamptz not null, created_by uuid, updated_at timestamptz not null,
    last_activity_at timestamptz, deleted_at timestamptz, first_name text, last_name text, emails text[], phones text[],
    job_title text, status text, score int, city text, country text, linkedin text, birthday date, source text,
    consent boolean, notes_text text, visits int, primary key (company_id, id))`,
  `insert into people_typed select company_id, id, version, title, owner_id, created_at, created_by, updated_at,
    last_activity_at, deleted_at, values ->> 'first_name', values ->> 'last_name', array[values -> 'emails' ->> 0],
    case when values ? 'phones' then array[values -> 'phones' ->> 0] end, values ->> 'job_title', values ->> 'status',
    (values ->> 'score')::int, values ->> 'city', values ->> 'country', values ->> 'linkedin',
    (values ->> 'birthday')::date, values ->> 'source', (values ->> 'consent')::boolean, values ->> 'notes_text',
    (values ->> 'visits')::int from records order by id`,
  'create index on people_typed (company_id, status, id) where deleted_at is null',
  'create index on people_typed (company_id, lower(last_name), id) where deleted_at is null',
  'create index on people_typed (company_id, visits desc nulls last, id desc) where deleted_at is null',
  'create unique index on people_typed (company_id, lower(emails[1])) where deleted_at is null',
]

type Read = (ids: string[]) => Promise<Record<string, unknown>[]>

/** Throws unless the stored rows of a sample are those that the product would store. Returns IDs to request. */
export async function checkPeople(connection: pg.ClientConfig, read: Read) {
  const { schema, people } = await schemaIn(connection)
  const pool = createPool(connection)
  const { rows: all } = await pool.query<{ id: string }>(
    `select id from records order by hashtextextended(id::text, 1) limit 5000`,
  )
  const ids = all.map((row) => row.id)
  for (let from = 0; from < 200; from += 100) {
    const some = ids.slice(from, from + 100)
    const { rows } = await pool.query(
      `select r.*, (select jsonb_agg(jsonb_build_object('field_id', field_id, 'key', key)) from unique_values u
        where u.company_id = r.company_id and u.record_id = r.id) uniques from records r where id = any($1)`,
      [some],
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const record of await read(some)) compareWithStored(schema, people, record, stored.get(record.id))
  }
  await pool.end()
  return ids
}

/** The order of words within the search text, and how often one occurs, do not matter. */
const wordsOf = (search: string) => [...new Set(search.split(/\s+/))].sort().join(' ')

function compareWithStored(
  schema: Schema,
  people: ObjectSchema,
  record: Record<string, unknown>,
  stored: Record<string, unknown>,
) {
  const values = Object.fromEntries(people.fields.flatMap(({ key }) => (key in record ? [[key, record[key]]] : [])))
  const { links, ...made } = rowOf(schema, people, values)
  const slots = Object.fromEntries(
    Object.keys(made.slots).map((slot) => {
      const value = stored[slot] as string | null
      return [slot, value !== null && slot.startsWith('n') ? Number(value) : value]
    }),
  )
  const { match, title, search, uniques } = stored
  const same = (row: typeof made) => ({ ...row, search: wordsOf(row.search) })
  if (isDeepStrictEqual(same(made), same({ match, title, search, slots, uniques } as typeof made)) && !links.length)
    return
  throw new Error(`the product stores this differently: ${JSON.stringify({ made, stored }, null, 1)}`)
}
