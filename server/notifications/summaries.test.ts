// The weekly summary by email: when it is sent, to whom, and that its figures are those of the lists it links to.
import { expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { type Api, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { testSmtp } from '../../test/smtp.ts'
import { soon, testWorker } from '../../test/worker.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'http://crm.example.com' })
const worker = await testWorker(kith)

const as = async (user: GivenUser) => kith.withSession(await kith.given.session(user))
const kind = 'weekly_summary' as const
const choose = (api: Api, app: boolean, email: boolean) =>
  api.updateNotificationChoices({ items: [{ kind, app, email }] })
const at = async (time: string) => {
  kith.time.now = new Date(time)
  await worker.run('send_summaries', {})
  worker.wake()
}
const subjects = (user: GivenUser) => smtp.mailsTo(user.email).map(({ subject }) => subject)

/** On Sunday, June 14, 2026. */
async function salesTeam() {
  kith.time.now = new Date('2026-06-14T12:00:00Z')
  const admin = await kith.given.company()
  const ada = await as(admin)
  await ada.updateCompany({ currency: 'EUR', time_zone: 'Europe/Berlin' })
  await ada.createRole({ name: 'Own only', records: { '*': { ...everything, read: 'own' } } })
  const bob = await kith.given.user(admin, { name: 'Bob', role: 'Own only' })
  const bobs = await as(bob)
  await bobs.updateMe({ time_zone: 'America/New_York' })
  const amount = { amount: '1500', currency: 'EUR' }
  const closed = { stage: 'won', amount, closed_at: '2026-06-10T10:00:00Z' }
  await ada.createRecords({
    object: 'deals',
    records: [
      { name: 'Won by Ada', ...closed, owner: admin.user_id },
      { name: 'Won by Bob', ...closed, owner: bob.user_id },
      { name: 'The week before', ...closed, closed_at: '2026-06-03T10:00:00Z', owner: bob.user_id },
      { name: 'Late', amount, expected_close: '2026-06-01', owner: bob.user_id },
    ],
  })
  await bobs.createRecords({ object: 'tasks', records: [{ title: 'Call', due_at: '2026-06-12T10:00:00Z' }] })
  return { admin, ada, bob, bobs }
}

test('people who switch it on get it on Monday morning in their time zone, once a week', async () => {
  const { admin, ada, bob, bobs } = await salesTeam()
  await choose(bobs, false, true)
  await choose(ada, true, false)
  await at('2026-06-15T11:59:00Z')
  expect(subjects(bob)).toEqual([])
  await at('2026-06-15T12:00:00Z')
  await at('2026-06-15T12:15:00Z')
  await smtp.mailTo(bob.email, 'Your week: Jun 8 – 14')
  await bobs.updateMe({ time_zone: 'Pacific/Honolulu' })
  await at('2026-06-15T19:00:00Z')
  await at('2026-06-17T12:00:00Z')
  await at('2026-06-21T12:00:00Z')
  // Kith was not running on Monday.
  await at('2026-06-23T20:00:00Z')
  await smtp.mailTo(bob.email, 'Your week: Jun 15 – 21')
  expect(subjects(bob)).toHaveLength(2)
  const { items } = await (await as(admin)).listNotifications({})
  expect(items.map(({ text, link }) => [text, link])).toEqual([
    ['Your week: Jun 15 – 21', '/dashboard'],
    ['Your week: Jun 8 – 14', '/dashboard'],
  ])
  expect(subjects(admin)).toEqual([])
  const seen = (await (await as(bob)).listNotifications({})).items
  expect(seen.filter((one) => one.kind === kind)).toEqual([])
})

test('its figures are what the reader may see, and each leads to a list with as many records', async () => {
  const { bob, bobs } = await salesTeam()
  await choose(bobs, false, true)
  await at('2026-06-15T12:00:00Z')
  const { text = '' } = await smtp.mailTo(bob.email)
  for (const line of [
    'Won: €1,500, 1 deal\nWeek before: €1,500, 1 deal\nhttp://crm.example.com/records/deals?filter=',
    'Lost: 0 deals\n',
    'Open deals: €1,500, 1 deal\n',
    'Your overdue tasks: 1\n',
    'Your deals past the close date: 1\n',
  ])
    expect(text).toContain(line)
  const links = [...text.matchAll(/: (?:.*, )?(\d+)(?: deals?)?\n(?:Week before.*\n)?(http:\S*\/records\S*)/g)]
  expect(links.length).toBeGreaterThan(4)
  for (const [, count, url] of links) {
    const { pathname, searchParams } = new URL(url!)
    const object = pathname.split('/').at(-1)!
    const found = await bobs.countRecords({ object, filter: searchParams.get('filter')!, is_exact: true })
    expect(found.count, url).toBe(Number(count))
  }
})

test('the link in it ends it, and nobody gets it who did not ask or is deactivated', async () => {
  const { admin, ada, bob, bobs } = await salesTeam()
  const carl = await kith.given.user(admin, { name: 'Carl' })
  await choose(await as(carl), true, true)
  await ada.deactivateUser({ id: carl.user_id })
  await choose(bobs, false, true)
  await at('2026-06-15T12:00:00Z')
  const mail = await smtp.mailTo(bob.email)
  const [address] = /http:\S+\/public\/unsubscribe\/\S+/.exec(mail.text!)!
  const page = await kith.app.inject({ url: new URL(address).pathname })
  expect(page.body).not.toContain('still see these notifications')
  await kith.app.inject({ method: 'POST', url: new URL(address).pathname })
  expect((await bobs.listNotificationChoices({})).items.find((one) => one.kind === kind)).toMatchObject({
    email: false,
  })
  await at('2026-06-22T12:00:00Z')
  await soon(async () => expect(subjects(bob)).toHaveLength(1))
  expect([...subjects(carl), ...subjects(admin)]).toEqual([])
})
