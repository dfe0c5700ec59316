// A company that uses every feature of a release through its API over ten weeks.
import { TOTP } from 'otpauth'
import { type Caller, callerOn } from './caller.ts'
import { chatWithVisitors } from './chat.ts'
import { tidyUp } from './duplicates.ts'
import { writeToCustomers } from './inbox.ts'
import { workInBulk } from './jobs.ts'
import { sendLeads } from './lead-sending.ts'
import { collectLeads } from './leads.ts'
import { buildObjects } from './objects.ts'
import { addPasskey } from './passkey.ts'
import { sell } from './pipelines.ts'
import { workOnRecords } from './records.ts'
import { planWork } from './tasks.ts'
import { arrangeWork, saveViews } from './views.ts'
import { connectBrokenProgram, connectPrograms } from './webhooks.ts'

/** Public on purpose: it only encrypts the recorded releases. */
export const secretKey = 'a key for recorded releases that protects nothing'
const password = 'correct horse battery'
const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0'
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Schema = { properties: Record<string, { enum?: string[] }> }
type Body = { content: { 'application/json': { schema: Schema } } }
export type Story = {
  origin: string
  /** Where the company's partners answer. */
  partners: string
  mailPort: number
  openapi: { paths: Record<string, Record<string, { requestBody?: Body }>> }
  at(time: string): Promise<void>
  work(): Promise<void>
}
export type At = Story['at']
export type Team = { ada: Caller; script: Caller; scout: Caller; grace: Caller; ids: Record<string, string> }

/** Returns the credentials for the upgrade tests. */
export async function tellStory(story: Story) {
  const { origin, work } = story
  const visitor = callerOn(origin, 'visitor', browser)
  const ada = callerOn(origin, {}, browser)
  const company = { company_name: 'Acme GmbH', time_zone: 'Europe/Berlin', language: 'de-DE' }
  await ada.enter('/set-up', { ...company, name: 'Ada Lovelace', email: 'ada@acme.example', password })
  /** Her session ends after a few weeks. */
  const at = async (time: string) => {
    await story.at(time)
    await ada.enter('/session', { email: 'ada@acme.example', password })
  }
  await settle(ada)
  await addPasskey(origin, ada, password)
  await at('2026-03-03T09:00:00Z')
  const { team, ...secrets } = await formTeam(story, visitor, ada)
  await work()
  await at('2026-03-04T09:00:00Z')
  const types = await buildObjects(story, ada)
  await workOnRecords(at, team, types)
  await saveViews(team)
  await sell(at, team)
  await planWork(story, at, team)
  await arrangeWork(at, team)
  await connectPrograms(story, at, team)
  await workInBulk(story, at, team)
  await setMail(ada, { host: '127.0.0.1', port: story.mailPort, security: 'none' })
  await collectLeads(story, at, team)
  await sendLeads(story, at, team)
  await writeToCustomers(story, at, team)
  await chatWithVisitors(story, at, team)
  await tidyUp(story, at, team)
  await at('2026-05-11T09:00:00Z')
  await connectBrokenProgram(story, team)
  await leave(team)
  const invitation = await invite(ada, 'ines@acme.example', 'Ines Invited', 'Member')
  const neighbor = await openNeighbor(origin)
  await setMail(ada, { host: 'smtp.acme.example', port: 587, security: 'starttls' })
  await work()
  // She has entered her password, and not yet the code.
  await callerOn(origin, {}, browser).post('/session', { email: 'grace@acme.example', password })
  await readNews(ada)
  await order(team.script)
  const session = ada.session()
  return { email: 'ada@acme.example', password, session, ...secrets, invitation: invitation.token, neighbor }
}

async function settle(ada: Caller) {
  await ada.patch('/company', { currency: 'EUR', rates: [{ currency: 'USD', rate: 0.9 }], first_weekday: 'monday' })
  await ada.patch('/settings/retention', { trash_days: 90, request_days: 14 })
  await ada.put('/company/logo', { image: pixel })
  await ada.put('/me/picture', { image: pixel })
  await ada.patch('/me', { theme: 'dark', language: 'en-GB' })
}

async function formTeam({ origin }: Story, visitor: Caller, ada: Caller) {
  const none = { read: 'none', create: false, edit: 'none', delete: 'none' }
  const own = { read: 'all', create: true, edit: 'own', delete: 'own' }
  const edit = { ...none, read: 'all', create: true, edit: 'all' }
  await ada.post('/roles', { name: 'Sales rep', grants: ['messages.send'], records: { '*': own, products: none } })
  await ada.post('/roles', { name: 'Researcher', description: 'For agents', records: { '*': edit, leads: none } })

  const invitation = await invite(ada, 'grace@acme.example', 'Grace Hopper', 'Sales rep')
  const graceId = await join(visitor, invitation, 'Grace Hopper')
  const linusId = await join(visitor, await invite(ada, 'linus@acme.example', 'Linus', 'Member'), 'Linus Ørsted')
  const { id: scoutId } = await ada.post('/users', { name: 'Scout', kind: 'agent', role: 'Researcher' })

  const grace = callerOn(origin, {}, browser)
  await grace.enter('/session', { email: 'grace@acme.example', password })
  const member_key = (await grace.post('/api-keys', { name: 'Phone' })).value as string
  const secret = await turnOnTwoFactor(grace)
  const key = (await ada.post('/api-keys', { name: 'Script' })).value as string
  const agent_key = (await ada.post(`/users/${scoutId}/api-keys`, { name: 'Research' })).value as string
  const { id: oldKey } = (await ada.post('/api-keys', { name: 'Old laptop' })).key as { id: string }
  await ada.post('/api-keys/deletion', { ids: [oldKey] })
  await ada.patch('/me/notification-choices', { items: [{ kind: 'user_joined', app: true, email: false }] })
  await callerOn(origin, {}, browser).send('POST', '/session', {
    email: 'ada@acme.example',
    password: 'not my password',
  })

  const withKey = (key: string, client: string) => callerOn(origin, { 'x-api-key': key }, client)
  const team: Team = {
    ada,
    grace: withKey(member_key, 'raycast/1.90'),
    script: withKey(key, 'billing-sync/3.2'),
    scout: withKey(agent_key, 'claude-code/2.1'),
    ids: { ada: (await ada.get('/me')).id, grace: graceId, linus: linusId },
  }
  return { team, key, member_key, agent_key, two_factor: { email: 'grace@acme.example', secret } }
}

async function invite(ada: Caller, email: string, name: string, role: string) {
  const { link, user } = await ada.post('/invitations', { email, name, role, send: false })
  return { id: (user as { id: string }).id, token: String(link).split('#token=')[1]! }
}

async function join(visitor: Caller, { id, token }: { id: string; token: string }, name: string) {
  await visitor.post('/account-links/invitation', { token, name, password })
  return id
}

async function turnOnTwoFactor(grace: Caller) {
  const secret = (await grace.post('/me/two-factor/secret', { current_password: password })).secret as string
  const code = new TOTP({ secret }).generate({ timestamp: Date.parse('2026-03-03T09:00:00Z') })
  await grace.put('/me/two-factor', { code })
  return secret
}

async function setMail(ada: Caller, server: { host: string; port: number; security: string }) {
  await ada.put('/settings/mail', {
    ...server,
    username: 'acme',
    password: 'a mail password',
    from_name: 'Acme',
    from_email: 'crm@acme.example',
  })
}

/** Linus leaves, and Ada takes over his records. */
async function leave({ ada, ids }: Team) {
  const { id } = await ada.get('/me')
  await ada.post(`/users/${ids.linus}/deactivation`, { reassign_to: id })
}

/** Repeated by the test within a day, after the upgrade. */
export const repeated = { key: 'order 4711', path: '/records/deals', body: { records: [{ name: 'Order 4711' }] } }

async function order(script: Caller) {
  const answer = await script.send('POST', repeated.path, repeated.body, { 'idempotency-key': repeated.key })
  if (!answer.ok) throw new Error(await answer.text())
}

/** A second company, whose data the first must never see. */
async function openNeighbor(origin: string) {
  const email = 'bo@beta.example'
  const bo = callerOn(origin, {}, browser)
  await bo.enter('/sign-up', { company_name: 'Beta', name: 'Bo', email, password })
  const key = (await bo.post('/api-keys', { name: 'Neighbor' })).value as string
  await bo.create('people', { first_name: 'Zora', last_name: 'Neighbor', emails: ['maria@example.com'] })
  return { email, key }
}

async function readNews(ada: Caller) {
  const { items } = await ada.get('/notifications')
  await ada.post('/notifications/reading', { ids: (items as { id: string }[]).slice(-1).map(({ id }) => id) })
}
