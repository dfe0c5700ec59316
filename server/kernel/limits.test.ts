import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mostChannels } from '../../contract/channels.ts'
import { mostInboxViews, mostLabels } from '../../contract/conversations.ts'
import { mostInboxRules } from '../../contract/inbox-rules.ts'
import { mostDestinations } from '../../contract/lead-destinations.ts'
import { mostRoutes } from '../../contract/lead-routes.ts'
import { mostSources } from '../../contract/lead-sources.ts'
import { type Api, testApp } from '../../test/app.ts'

const kith = await testApp()
const { given } = kith

const site = 'https://www.shop.example'
const name = () => `Thing ${randomUUID()}`
const http = { url: 'https://partner.example/leads' }
/** `mostTemplates` is not part of the contract. */
const things: [table: string, most: number, add: (api: Api) => Promise<unknown>][] = [
  ['conversation_labels', mostLabels, (api) => api.createConversationLabel({ name: name() })],
  ['inbox_views', mostInboxViews, (api) => api.createInboxView({ name: name(), filter: '' })],
  ['message_templates', 500, (api) => api.createMessageTemplate({ name: name(), text: 'Hello' })],
  [
    'inbox_rules',
    mostInboxRules,
    (api) => api.createInboxRule({ name: name(), on: 'message_received', actions: [{ kind: 'close' }] }),
  ],
  ['lead_sources', mostSources, (api) => api.createLeadSource({ name: name() })],
  ['lead_destinations', mostDestinations, (api) => api.createLeadDestination({ name: name(), http })],
  [
    'lead_routes',
    mostRoutes,
    async (api) => {
      const { items } = await api.listLeadDestinations({})
      const { id } = items[0] ?? (await api.createLeadDestination({ name: name(), http }))
      return api.createLeadRoute({ name: name(), targets: [{ destination_id: id }] })
    },
  ],
  ['channels', mostChannels, (api) => api.createChat({ name: name(), allowed_origins: [site] })],
]

test.each(things)('calls at the same time do not pass the limit of %s together', async (table, most, add) => {
  const admin = await given.company()
  const api = kith.withSession(await given.session(admin))
  await add(api)
  await sql`insert into ${sql.table(table)} select (jsonb_populate_record(t,
      jsonb_build_object('id', gen_random_uuid(), 'name', t.name || g))).*
    from ${sql.table(table)} t, generate_series(1, ${most - 2}) g where t.company_id = ${admin.company_id}`.execute(
    kith.ownerDb,
  )
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => add(api)))
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  for (const one of all) if (one.status === 'rejected') expect(one.reason.problem.status).toBe(409)
})
