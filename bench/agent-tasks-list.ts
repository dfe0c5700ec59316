// The tasks: the calls that an agent makes, and a check in the database that the task is done.

export type Json = Record<string, unknown>
export type Agent = {
  call: (tool: string, args?: object) => Promise<Json>
  /** To prepare a task and to check its result; not a call of the agent. */
  sql: (text: string, ...values: unknown[]) => Promise<Json[]>
  me: Json
  schema: Json
}
/** `byHand`: the result is right, but takes several calls that a dedicated tool could replace. */
type Task = { name: string; byHand?: true; run: (agent: Agent) => Promise<boolean> }

type Row = Json & { id: string; title: string }
const recordsIn = (answer: Json) => (answer.records ?? []) as Row[]
const idsOf = (rows: Json[]) => rows.map(({ id }) => String(id)).toSorted()
const same = (a: Json[], b: Json[]) => JSON.stringify(idsOf(a)) === JSON.stringify(idsOf(b))

/** The stored rows of one object. */
const from = (object: string) =>
  `from records r join objects o on o.company_id = r.company_id and o.id = r.object_id and o.key = '${object}'
   where r.deleted_at is null`

const one = async ({ sql }: Agent, object: string, also = 'true', order = 'r.id') =>
  (
    await sql(`select r.id, r.title, r.values, r.owner_id ${from(object)} and ${also} order by ${order} limit 1`)
  )[0] as Row & {
    values: Record<string, unknown>
    owner_id: string
  }
const stored = async ({ sql }: Agent, id: string) =>
  (await sql('select values, owner_id, deleted_at from records where id = $1', id))[0] as {
    values: Record<string, unknown>
    owner_id: string
    deleted_at: Date | null
  }

const latin = "r.title ~ '^[A-Za-zÀ-ÿ]+ [A-Za-zÀ-ÿ]{6,}$'"

export const tasks: Task[] = [
  {
    name: 'find a person by a name with a typo',
    async run(agent) {
      const person = await one(agent, 'people', latin)
      const [first, last] = person.title.split(' ') as [string, string]
      const misspelt = `${first} ${last.slice(0, -2)}${last.at(-1)}x`
      const tried = await agent.call('search_records', { q: misspelt })
      if ((tried.items as Row[]).some(({ id }) => id === person.id)) return true
      const { items } = await agent.call('search_records', { q: `${first} ${last.slice(0, 3)}` })
      return (items as Row[]).some(({ id }) => id === person.id)
    },
  },
  {
    name: 'who works at an organization',
    async run(agent) {
      const { id, title } = await one(agent, 'organizations')
      const found = await agent.call('query_records', { object: 'people', filter: `organization = ${quoted(title)}` })
      return same(
        recordsIn(found),
        await agent.sql(`select r.id ${from('people')} and values ->> 'organization' = $1`, id),
      )
    },
  },
  {
    name: 'create a person at an existing organization',
    async run(agent) {
      const { id, title } = await one(agent, 'organizations')
      const values = {
        first_name: 'Nora',
        last_name: 'Lindqvist',
        emails: ['nora@lindqvist.example'],
        organization: title,
      }
      const [made] = recordsIn(await agent.call('create_records', { object: 'people', records: [values] }))
      return (await stored(agent, made!.id)).values.organization === id
    },
  },
  {
    name: 'move a deal to the next stage',
    async run(agent) {
      const { id, title } = await one(agent, 'deals', "values ->> 'stage' = 'proposal'")
      const filter = `name = ${quoted(title)} and stage = proposal`
      await agent.call('update_records', { object: 'deals', filter, values: { stage: 'Negotiation' } })
      return (await stored(agent, id)).values.stage === 'negotiation'
    },
  },
  {
    name: 'log a call with notes',
    async run(agent) {
      const { id, title } = await one(agent, 'people', latin)
      const values = { kind: 'call', about: [title], outcome: 'Reached', body: 'Wants the offer in writing.' }
      const [made] = recordsIn(await agent.call('create_records', { object: 'activities', records: [values] }))
      const { about, at } = (await stored(agent, made!.id)).values
      return JSON.stringify(about) === JSON.stringify([id]) && Math.abs(Date.parse(String(at)) - Date.now()) < 60_000
    },
  },
  {
    name: 'deals over 10,000 this quarter, by owner',
    async run(agent) {
      const filter = 'amount > 10000 and expected_close in this_quarter'
      const fields = ['name', 'amount', 'owner.name']
      const found = await agent.call('query_records', { object: 'deals', filter, fields, limit: 100 })
      const slot = await slotOf(agent, 'deals', 'amount')
      const wanted = await agent.sql(
        `select r.id ${from('deals')} and r.${slot} > 10000 and (values ->> 'expected_close')::date
          between date_trunc('quarter', now())::date and (date_trunc('quarter', now()) + interval '3 months - 1 day')::date`,
      )
      return same(recordsIn(found), wanted) && recordsIn(found).every(({ owner }) => (owner as { name?: string }).name)
    },
  },
  {
    name: 'open pipeline by stage in one currency',
    async run(agent) {
      const question = { object: 'deals', filter: 'status = open', measures: ['sum(amount)'], group_by: ['stage'] }
      const { groups } = await agent.call('aggregate_records', question)
      const sums: Record<string, number> = {}
      for (const { keys, values } of groups as { keys: string[]; values: Record<string, number> }[])
        sums[keys[0]!] = values['sum(amount)'] ?? 0
      const slot = await slotOf(agent, 'deals', 'amount')
      const wanted = await agent.sql(
        `select values ->> 'stage' as stage, sum(r.${slot})::float as sum ${from('deals')} and values ->> 'status' = 'open' group by 1`,
      )
      return wanted.every(({ stage, sum }) => Math.abs((sums[String(stage)] ?? 0) - Number(sum ?? 0)) < 1)
    },
  },
  {
    name: 'overdue tasks of a colleague',
    async run(agent) {
      const overdue = `values ->> 'status' = 'open' and (values ->> 'due_at')::timestamptz < now()`
      const [colleague] = await agent.sql(
        `select u.id, u.name from users u where exists (select 1 ${from('tasks')} and ${overdue} and values ->> 'assignee' = u.id::text) order by u.name limit 1`,
      )
      if (!colleague) return false
      const filter = `status = open and due_at < now and assignee = ${quoted(String(colleague.name))}`
      const found = await agent.call('query_records', { object: 'tasks', filter, limit: 100 })
      const wanted = await agent.sql(
        `select r.id ${from('tasks')} and ${overdue} and values ->> 'assignee' = $1`,
        colleague.id,
      )
      return same(recordsIn(found), wanted)
    },
  },
  {
    name: 'follow-up task in three days',
    async run(agent) {
      const { id, title } = await one(agent, 'people', latin, 'r.id desc')
      const values = { title: 'Follow up', due_at: '+3d', assignee: 'me', about: [title] }
      const [made] = recordsIn(await agent.call('create_records', { object: 'tasks', records: [values] }))
      const { due_at, assignee, about } = (await stored(agent, made!.id)).values
      const isInTime = Math.abs(Date.parse(String(due_at)) - Date.now() - 3 * 86_400_000) < 3_700_000
      return isInTime && assignee === agent.me.id && JSON.stringify(about) === JSON.stringify([id])
    },
  },
  {
    name: 'change one of the phone numbers of a person',
    async run(agent) {
      const { id, title } = await one(agent, 'people', `${latin} and jsonb_array_length(values -> 'phones') > 0`)
      const filter = `title = ${quoted(title)}`
      const [person] = recordsIn(await agent.call('query_records', { object: 'people', filter, fields: ['phones'] }))
      const [old, ...others] = person!.phones as string[]
      const phones = { remove: [old], add: ['+493055512345'] }
      await agent.call('update_records', { object: 'people', records: [{ id: person!.id, values: { phones } }] })
      const now = (await stored(agent, id)).values.phones
      return JSON.stringify(now) === JSON.stringify([...others, '+493055512345'])
    },
  },
  {
    name: 'likely duplicates by email domain',
    async run(agent) {
      const question = { object: 'people', filter: 'emails is not empty', group_by: ['emails.domain'], order: '-count' }
      const answer = await agent.call('aggregate_records', question)
      const found = answer.groups as { keys: string[]; values: { count: number } }[]
      const groups = new Map(found.map(({ keys, values }) => [keys[0]!, values.count]))
      const wanted = await agent.sql(
        `select split_part(e, '@', 2) as domain, count(distinct r.id)::int as count from records r
          join objects o on o.company_id = r.company_id and o.id = r.object_id and o.key = 'people'
          cross join jsonb_array_elements_text(r.values -> 'emails') e where r.deleted_at is null group by 1`,
      )
      return wanted.length === groups.size && wanted.every(({ domain, count }) => groups.get(String(domain)) === count)
    },
  },
  {
    name: 'merge two people',
    async run(agent) {
      const kept = await one(agent, 'people', latin)
      const twin = { first_name: 'Twin', last_name: 'Record', emails: ['twin@record.example'], city: 'Turin' }
      const [dup] = recordsIn(await agent.call('create_records', { object: 'people', records: [twin] }))
      const deal = { name: 'Deal of the twin', people: [dup!.id] }
      const [made] = recordsIn(await agent.call('create_records', { object: 'deals', records: [deal] }))
      await agent.call('merge_records', { object: 'people', id: kept.id, merge: [dup!.id] })
      const { emails } = (await stored(agent, kept.id)).values as { emails: string[] }
      const { people } = (await stored(agent, made!.id)).values as { people: string[] }
      const isGone = (await stored(agent, dup!.id)).deleted_at !== null
      return isGone && emails.includes('twin@record.example') && people.includes(kept.id)
    },
  },
  {
    name: 'tag everyone in a country',
    async run(agent) {
      const [most] = await agent.sql(
        `select values ->> 'country' as country ${from('people')} and values ->> 'country' <> '' group by 1 order by count(*) desc, 1 limit 1`,
      )
      await agent.call('update_field', { object: 'people', field: 'tags', add_options: [{ label: 'Autumn fair' }] })
      const filter = `country = ${quoted(String(most!.country))}`
      await agent.call('update_records', { object: 'people', filter, values: { tags: { add: ['Autumn fair'] } } })
      const tagged = await agent.sql(`select r.id ${from('people')} and values -> 'tags' ? 'autumn_fair'`)
      const wanted = await agent.sql(`select r.id ${from('people')} and values ->> 'country' = $1`, most!.country)
      return wanted.length > 0 && same(tagged, wanted)
    },
  },
  {
    name: 'hand over all deals of a colleague',
    async run(agent) {
      const [busy] = await agent.sql(
        `select u.id, u.name from users u where u.id <> $1 and exists (select 1 ${from('deals')} and r.owner_id = u.id) order by u.name limit 1`,
        agent.me.id,
      )
      const theirs = await agent.sql(`select r.id ${from('deals')} and r.owner_id = $1`, busy!.id)
      const filter = `owner = ${quoted(String(busy!.name))}`
      const { matched } = await agent.call('update_records', { object: 'deals', filter, values: { owner: 'me' } })
      const left = await agent.sql(`select r.id ${from('deals')} and r.owner_id = $1`, busy!.id)
      return matched === theirs.length && left.length === 0
    },
  },
  {
    name: 'add a field and fill it',
    async run(agent) {
      const { id, title } = await one(agent, 'organizations')
      const options = [{ label: 'Gold' }, { label: 'Silver' }]
      await agent.call('create_field', { object: 'organizations', key: 'tier', label: 'Tier', type: 'select', options })
      const filter = `name = ${quoted(title)}`
      await agent.call('update_records', { object: 'organizations', filter, values: { tier: 'Gold' } })
      return (await stored(agent, id)).values.tier === 'gold'
    },
  },
  {
    name: 'what changed last week, and by whom',
    async run(agent) {
      const since = new Date(Date.now() - 7 * 86_400_000).toISOString()
      const seen: string[] = []
      for (let cursor: unknown; ; ) {
        const page = await agent.call('list_changes', { since, max_changes: 1, values: false, limit: 100, cursor })
        seen.push(...(page.items as Row[]).map(({ id }) => id))
        cursor = page.next_cursor
        if (!cursor) break
      }
      const wanted = await agent.sql('select id from change_sets where at >= $1', since)
      return JSON.stringify(seen.toSorted()) === JSON.stringify(idsOf(wanted))
    },
  },
  {
    name: 'undo my last change',
    async run(agent) {
      const mine = () =>
        agent.sql('select id, undone_by from change_sets where actor_id = $1 order by id desc', agent.me.id)
      const [last, ...others] = await mine()
      await agent.call('undo_changes', { last: 1 })
      const now = new Map((await mine()).map(({ id, undone_by }) => [id, undone_by]))
      return now.get(last!.id) !== null && others.every(({ id, undone_by }) => now.get(id) === undone_by)
    },
  },
  {
    name: 'preview, delete eight records, and restore them',
    async run(agent) {
      const found = await agent.call('query_records', { object: 'notes', fields: ['title'], limit: 8 })
      const ids = recordsIn(found).map(({ id }) => id)
      const gone = async () =>
        (await agent.sql('select id from records where id = any($1) and deleted_at is not null', ids)).length
      await agent.call('delete_records', { object: 'notes', ids, dry_run: true })
      const isUntouched = (await gone()) === 0
      const { change_set_id } = await agent.call('delete_records', { object: 'notes', ids })
      const isGone = (await gone()) === 8
      await agent.call('undo_changes', { change_set_ids: [change_set_id] })
      return isUntouched && isGone && (await gone()) === 0
    },
  },
  {
    name: 'convert a lead',
    async run(agent) {
      const lead = await one(agent, 'leads', "values ->> 'email' <> '' and values ->> 'status' <> 'converted'")
      const { items } = await agent.call('search_records', { q: lead.title, objects: ['leads'], limit: 5 })
      const { id } = (items as Row[]).find((found) => found.id === lead.id)!
      const { person, deal } = (await agent.call('convert_lead', { id })) as Record<string, Row>
      const now = (await stored(agent, lead.id)).values
      return now.status === 'converted' && now.converted_deal === deal!.id && now.converted_person === person!.id
    },
  },
  {
    name: 'everything about an organization',
    async run(agent) {
      const [busiest] = await agent.sql(
        `select l.to_id as id, t.title from links l join records t on t.company_id = l.company_id and t.id = l.to_id
          join objects o on o.company_id = t.company_id and o.id = t.object_id and o.key = 'organizations'
          group by 1, 2 order by count(*) desc, 1 limit 1`,
      )
      const about = Object.fromEntries(
        ['', 'people.', 'deals.'].flatMap((from) => ['tasks', 'notes', 'activities'].map((to) => [from + to, []])),
      )
      const related = { people: ['job_title', 'emails'], deals: ['stage', 'amount'], ...about }
      const filter = `name = ${quoted(String(busiest!.title))}`
      const [found] = recordsIn(await agent.call('query_records', { object: 'organizations', filter, related }))
      const { people, deals, ...others } = found!.$related as Record<string, Row[]>
      const seen = Object.values(others).flat()
      const all = [found!.id, ...people!.map((one) => one.id), ...deals!.map((one) => one.id)]
      const wanted = await agent.sql(
        `select distinct r.id from links l join records r on r.company_id = l.company_id and r.id = l.from_id and r.deleted_at is null
          join objects o on o.company_id = r.company_id and o.id = r.object_id and o.key in ('tasks', 'notes', 'activities')
          join fields f on f.company_id = l.company_id and f.id = l.field_id and f.key = 'about' where l.to_id = any($1)`,
        all,
      )
      return same([...new Map(seen.map((one) => [one.id, one])).values()], wanted) && people!.length > 0
    },
  },
]

const quoted = (text: string) => JSON.stringify(text)

const slotOf = async ({ sql }: Agent, object: string, field: string) =>
  String(
    (
      await sql(
        `select f.slot from fields f join objects o on o.company_id = f.company_id and o.id = f.object_id where o.key = $1 and f.key = $2`,
        object,
        field,
      )
    )[0]!.slot,
  )
