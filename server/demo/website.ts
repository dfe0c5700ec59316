// The form on the website: its leads, their target and score, and what else was sent to it.

import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { readSchema } from '../engine/schema/schema.ts'
import { usualFields } from '../leads/forms/check-source.ts'
import type { Settings } from '../leads/forms/source.ts'
import { hourMs } from '../platform/times.ts'
import type { Room, Team } from './story.ts'
import { idAt } from './times.ts'

export type Website = { id: string; name: string; page: string }

const consent = 'I agree that you answer my request. See our [privacy policy](https://www.kith.example/privacy).'

const rules = [
  { name: 'Has a company', filter: 'company_name is not empty', points: 20 },
  { name: 'Came by referral', filter: 'source = "Referral"', points: 30 },
  { name: 'Asks for prices', filter: 'message ~ "price" or message ~ "cost"', points: 25 },
  { name: 'Wants a call or a demo', filter: 'message ~ "call" or message ~ "demo"', points: 15 },
]

/** Before the leads are written, because their target and score follow from it. */
export async function addWebsite(room: Room, team: Team): Promise<Website> {
  const { db, company_id, admin_id, now } = room
  const schema = await readSchema(db, company_id)
  const settings: Settings = {
    language: 'en-US',
    title: 'Contact us',
    intro: 'We answer within four hours.',
    submit_label: '',
    thank_you: '',
    redirect_url: null,
    redirect_urls: [],
    step_titles: [],
    fields: usualFields(schema.builtIn.get('leads')!, 'en-US'),
    consent: { text: consent, is_required: true },
    look: { accent: '#176b4c', corners: 8, font: 'site' },
    allowed_origins: ['https://www.kith.example'],
    assignment: [{ filter: null, user_ids: team.colleagues.slice(0, 3).map(({ id }) => id) }],
    duplicates: 'update',
    tags: [],
    source_label: 'Website',
    notify_user_ids: [],
    autoresponse: null,
    double_opt_in: false,
  }
  const website = { id: randomUUIDv7(), name: 'Contact form', page: 'https://www.kith.example/contact' }
  const created_at = new Date(now.getTime() - 55 * 24 * hourMs)
  await db
    .insertInto('lead_sources')
    .values({
      company_id,
      id: website.id,
      name: website.name,
      owner_id: admin_id,
      settings: JSON.stringify(settings),
      consent_version: 1,
      created_at,
      created_by: admin_id,
    })
    .execute()
  await db
    .insertInto('lead_consent_texts')
    .values({ company_id, source_id: website.id, version: 1, text: consent, created_at, created_by: admin_id })
    .execute()
  await sql`update companies set lead_response_minutes = 240, lead_score_rules = ${JSON.stringify(rules)}::jsonb,
    schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
  return website
}

type Sent = { at: Date; values: Record<string, string> } & Partial<{
  state: string
  lead_id: string
  reason: string
  spam: [number, string[]]
}>

const byBots: Omit<Sent, 'at'>[] = [
  {
    values: {
      first_name: 'SEO Experts',
      email: 'rank@offers.example',
      message: 'First page guaranteed https://a.example https://b.example',
    },
    spam: [145, ['A hidden field was filled in', 'Sent within 3 seconds', 'Links in the text']],
  },
  {
    values: {
      first_name: 'Win now',
      email: 'prize@offers.example',
      message: '[url=https://c.example]Your prize[/url]',
    },
    spam: [120, ['Markup for links', 'No form token']],
  },
]

/** What was sent to the form: the leads from the website, spam, and one that could not become a lead. */
export async function addSubmissions(room: Room, { id: source_id, page }: Website) {
  const { db, company_id, now } = room
  const { rows } = await sql<{ id: string; created_at: Date; values: Record<string, string> }>`
    select r.id, r.created_at, r.values from records r join objects o on o.company_id = ${company_id} and o.id = r.object_id
    where r.company_id = ${company_id} and o.built_in_key = 'leads' and r.values ->> 'page' = ${page}
    order by r.id`.execute(db)
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const sent: Sent[] = [
    ...rows.map(({ id, created_at, values }) => ({ at: created_at, lead_id: id, values })),
    ...byBots.map((spam, i) => ({ ...spam, at: ago(30 + 50 * i), state: 'spam' })),
    {
      at: ago(20),
      state: 'failed',
      reason: 'Email: Enter an email address such as ada@example.com',
      values: { first_name: 'Robin', last_name: 'Lange', email: 'robin@mail', message: 'Do you offer training?' },
    },
  ]
  await db
    .insertInto('lead_submissions')
    .values(sent.map((one) => ({ company_id, source_id, page, ...rowOf(one) })))
    .execute()
}

function rowOf({ at, values, state = 'lead', lead_id, reason, spam: [spam_score, reasons] = [0, []] }: Sent) {
  const entered = ['first_name', 'last_name', 'email', 'phone', 'company_name', 'message']
  const body = { values: Object.fromEntries(entered.flatMap((key) => (values[key] ? [[key, values[key]]] : []))) }
  return {
    id: idAt(at),
    received_at: at,
    state,
    outcome: lead_id ? 'created' : null,
    lead_id: lead_id ?? null,
    reason: reason ?? null,
    email: values.email!,
    via: 'script',
    body: JSON.stringify(body),
    name: [values.first_name, values.last_name].filter(Boolean).join(' '),
    ip: '203.0.113.80',
    user_agent: 'Mozilla/5.0',
    referrer: 'https://search.example/',
    consent_version: 1,
    consent_at: at,
    spam_score,
    spam_reasons: JSON.stringify(reasons),
    processed_at: state === 'spam' ? null : at,
  }
}
