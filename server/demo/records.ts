// The records of a sales team: customers, deals, leads, tasks, notes and activities of the last two months.
import { sql } from 'kysely'
import { findActorById } from '../accounts/users/queries.ts'
import { agentClient, agentEntries } from './agent-work.ts'
import { customerEntries } from './customers.ts'
import { dealEntries } from './deals.ts'
import { writeDiary } from './diary.ts'
import { addInbox } from './inbox.ts'
import { addLeadSending } from './lead-sending.ts'
import { ratesFor } from './money.ts'
import { tags } from './sales-texts.ts'
import type { Room, Story, Team, Writer } from './story.ts'
import { addSubmissions, addWebsite } from './website.ts'
import { workEntries } from './work.ts'

export async function fillRecords(room: Room, team: Team) {
  await addRates(room)
  await addTags(room)
  const website = await addWebsite(room, team)
  const story: Story = {
    random: room.random.fork('records'),
    now: room.now,
    crew: await crewOf(room, team),
    agent: {
      actor: { ...(await actorOf(room, team.agent.id)), api_key_id: team.key.id },
      door: 'mcp',
      client: agentClient,
      since: team.key.at,
    },
    colleagueNames: team.colleagues.map(({ name }) => name),
    website,
    home: room.home,
    currency: room.currency,
    accounts: [],
    products: new Map(),
  }
  const entries = [customerEntries, dealEntries, workEntries, agentEntries].flatMap((entriesOf) => entriesOf(story))
  await writeDiary(room, entries)
  await addSubmissions(room, website)
  await addLeadSending(room)
  await addInbox(room, team)
  await noteUses(room, team)
  await noteVisits(room)
}

/** Lets amounts in several currencies be added up. */
async function addRates({ db, company_id, currency }: Room) {
  const rates = ratesFor(currency).map((rate) => ({ company_id, ...rate }))
  if (!rates.length) return
  await db
    .insertInto('currency_rates')
    .values(rates)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
}

async function addTags({ db, company_id }: Room) {
  const options = JSON.stringify(tags.map((key, i) => ({ key, label: labelOfTag(key), color: tagColors[i]! })))
  await sql`
    update fields set options = ${options}::jsonb
    where company_id = ${company_id} and built_in_key = 'tags'`.execute(db)
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
}
const tagColors = ['orange', 'teal', 'blue']
const labelOfTag = (key: string) => (key === 'vip' ? 'VIP' : key.charAt(0).toUpperCase() + key.slice(1))

/** Those who changed something have been here. */
async function noteVisits({ db, company_id }: Room) {
  await sql`
    insert into user_visits (company_id, user_id, last_seen_at)
    select company_id, actor_id, max(at) from change_sets
    where company_id = ${company_id} and door = 'web' and actor_id is not null group by 1, 2
    on conflict do nothing`.execute(db)
}

async function crewOf(room: Room, { colleagues }: Team) {
  const crew: Writer[] = []
  const writing = colleagues.filter(({ role }) => role !== 'Read only')
  for (const { id, at } of [{ id: room.admin_id, at: new Date(0) }, ...writing])
    crew.push({ actor: await actorOf(room, id), door: 'web', client: null, since: at })
  return crew
}

async function actorOf({ db, company_id }: Room, user_id: string) {
  return (await findActorById(db, company_id, user_id))!
}

/** Counts six calls per change set, because an agent reads more than it writes. */
async function noteUses({ db, company_id }: Room, { key }: Team) {
  await sql`
    insert into api_key_uses (company_id, api_key_id, client, day, calls, last_used_at, last_ip)
    select company_id, api_key_id, client, (at at time zone 'UTC')::date, count(*) * 6, max(at), '198.51.100.7'
    from change_sets where company_id = ${company_id} and api_key_id = ${key.id}
    group by 1, 2, 3, 4`.execute(db)
}
