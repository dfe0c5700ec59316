// Takes the screenshots for the README from the running product; with names, only those.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { readConfig } from '../server/platform/config.ts'
import { startKith } from '../server/start.ts'
import { browserFlags, desktop, findBrowser, phone } from '../test/chromium.ts'
import { installMissing } from '../test/packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'kith-pictures-'))
const port = '3918'
const settings = { PORT: port, DATA_DIR: folder, LOG: 'off', DEMO: '1', OUTBOUND_ALLOW: '127.0.0.1' }
const kith = await startKith(readConfig(settings), () => {})
await installMissing()
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: [...browserFlags, '--font-render-hinting=none'],
})
const open = async (viewport: typeof desktop, colorScheme: 'light' | 'dark') => {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    viewport,
    colorScheme,
    deviceScaleFactor: 2,
  })
  return context.newPage()
}
const wanted = process.argv.slice(2)
const isWanted = (name: string) => !wanted.length || wanted.includes(name)
const take = async (page: Page, name: string) => {
  if (!isWanted(name)) return
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(500)
  await page.screenshot({ path: join('docs', 'pictures', `${name}.png`) })
}

const first = await open(desktop, 'light')
await first.goto('/')
await first.getByLabel('Company name').fill('Northwind Trading')
await first.getByLabel('Your name').fill('Ada Lovelace')
await first.getByLabel('Email').fill('ada@northwind.example')
await first.getByLabel('Password', { exact: true }).fill('correct horse battery')
await take(first, 'set-up')
await first.getByRole('button', { name: 'Create company' }).click()
await first.waitForURL('**/dashboard')
const cookies = await first.context().cookies()

await first.goto('/profile/api-connectors')
await first.getByRole('button', { name: 'Add' }).click()
await first.getByLabel('Name').fill('Claude Code')
await first.getByRole('button', { name: 'Create key' }).click()
// A key must never be committed, not even in a screenshot.
await first
  .getByRole('region', { name: 'Your new key' })
  .locator('code')
  .evaluate((shown) => {
    shown.textContent = `Kith${'•'.repeat(60)}`
  })
await take(first, 'new-key')

await first.goto('/records/people')
await first.getByRole('gridcell').first().waitFor()
await first.goto('/dashboard')
await first.getByRole('button', { name: 'Dismiss getting started' }).click()
await first.goto('/company/roles')
await first.getByRole('link', { name: 'Sales rep' }).waitFor()
await first.getByRole('link', { name: 'Sales rep' }).click()
await first.waitForURL('**/company/roles/*')
await take(first, 'role')

const exported = {
  deals: `Deal - ID,Deal - Title,Deal - Organization,Deal - Organization ID,Deal - Value,Deal - Currency of Value,Deal - Stage,Deal - Owner
900,Rollout,Harbor Foods,70,24000,EUR,Demo given,Ada Lovelace
901,Pilot,Lindqvist & Co,71,5200,EUR,Proposal,Mia Sandberg`,
  people: `Person - ID,Person - Name,Person - Email - Work,Person - Organization,Person - Organization ID,Person - Owner
11,Grace Hopper,grace@harbor.example,Harbor Foods,70,Ada Lovelace
12,Nils Lindqvist,nils@lindqvist.example,Lindqvist & Co,71,Mia Sandberg`,
  organizations: `Organization - ID,Organization - Name,Organization - Address,Organization - Fax
70,Harbor Foods,Quay 4 Hamburg,
71,Lindqvist & Co,Storgatan 12 Malmö,`,
  notes: 'ID,Content,Deal,User,Add time\n5,They want a second demo,Rollout,Ada Lovelace,2026-02-05 08:00:00',
}
await first.goto('/move')
const upload = ([name, text]: [string, string]) => ({
  name: `${name}-2026-11.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})
await first.locator('input[type=file]').setInputFiles(Object.entries(exported).map(upload))
await first.getByRole('button', { name: 'Continue' }).click()
await first.getByText(/of 8 columns/).waitFor()
await take(first, 'move')

const { id } = await first.evaluate(async () => {
  const { records } = await (await fetch('/app/api/records/notes?limit=100')).json()
  const about = records.flatMap((note: { about?: { id: string; object: string }[] }) => note.about ?? [])
  return about.find(({ object }: { object: string }) => object === 'people')
})
const deal = await first.evaluate(async () => {
  const open = async (filter: string) => {
    const body = JSON.stringify({ filter, sort: ['-last_activity_at'], limit: 50 })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/app/api/records/deals/query', { method: 'POST', headers, body })
    return ((await answer.json()) as { records: { id: string; title: string }[] }).records
  }
  // Better with tasks, but not every sample has such a deal.
  const records = [...(await open('status = open and any(tasks: status = open)')), ...(await open('status = open'))]
  // Readable for most people who see it.
  return (records.find(({ title }) => /^[ -~]+$/.test(title)) ?? records[0])!.id
})

// Receives the events of a webhook, and is too busy for every fourth. Partners that take leads answer there, too.
const receiverPort = 3919
let received = 0
const receiver = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/leads/')) {
    const isTaken = !request.url.includes('coast')
    response.writeHead(isTaken ? 201 : 422, { 'content-type': 'application/json' })
    response.end(isTaken ? '{"status":"accepted","id":"L-2041"}' : '{"error":{"message":"Outside our area"}}')
    return
  }
  received += 1
  response.writeHead(received % 4 ? 200 : 503, { 'content-type': 'application/json' })
  response.end(received % 4 ? '{"received":true}' : '{"error":"Too busy, try again later"}')
}).listen(receiverPort, '127.0.0.1')
const webhook = await first.evaluate(async (target_url) => {
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`/app/api${path}`, { method, headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const { id } = await send('POST', '/webhooks', { target_url, description: 'Data warehouse', object: 'deals' })
  const { records } = await send('POST', '/records/deals/query', { filter: 'status = open', limit: 10 })
  for (const [index, deal] of records.entries())
    await send('PATCH', '/records/deals', {
      records: [{ id: deal.id, values: index % 2 ? { probability: 65 } : { stage: 'negotiation', amount: '24000' } }],
    })
  return id as string
}, `http://127.0.0.1:${receiverPort}/kith`)

// A form, and what visitors sent with it.
const form = await first.evaluate(async () => {
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`/app/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const fields = ['first_name', 'last_name', 'email', 'company_name', 'message']
  const { id, form_id } = await send('/lead-sources', {
    name: 'Talk to sales',
    title: 'Talk to sales',
    intro: 'Tell us what you need. We answer within one working day.',
    fields: fields.map((field) => ({ field, is_required: field === 'email', step: field === 'message' ? 2 : 1 })),
    step_titles: ['About you', 'Your project'],
    submit_label: 'Request a call',
  })
  const page = 'https://www.northwind.example/pricing?utm_source=google&utm_medium=cpc&utm_campaign=autumn'
  for (const name of ['Grace Hopper', 'Mary Jackson', 'Alan Kay', 'Barbara Liskov', 'Katherine Johnson']) {
    const [first_name, last_name] = name.split(' ')
    const email = `${first_name}@${last_name}.example`.toLowerCase()
    const message = 'We are a team of 40 and look for a new supplier. Can you call us next week?'
    const values = { first_name, last_name, email, company_name: `${last_name} Ltd`, message }
    await send(`/lead-sources/${id}/submissions`, { values, page, referrer: 'https://www.google.com/' })
  }
  const message = 'http://a.example http://b.example http://c.example [url=http://d.example]Cheap[/url]'
  const spam = new URLSearchParams({ email: 'offers@bulk.example', first_name: 'SEO', message })
  await fetch(`/public/forms/${form_id}/submissions`, { method: 'POST', body: spam })
  return id as string
})

// Routes to partners, and leads that went through them.
await first.evaluate(async (origin) => {
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`/app/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const { items: users } = await (await fetch('/app/api/users')).json()
  const to = async (name: string, kind: object) => (await send('/lead-destinations', { name, ...kind })).id as string
  const http = (path: string) => ({ http: { url: `${origin}/leads/${path}`, reason_path: 'error.message' } })
  const coast = await to('Coastline Energy', http('coast'))
  const bright = await to('Brightside Solar', http('bright'))
  const helio = await to('Helio Homes', http('helio'))
  const team = await to('Inside sales', {
    members: { user_ids: users.slice(0, 3).map(({ id }: { id: string }) => id) },
  })
  await send('/lead-routes', {
    name: 'Large projects',
    state: 'active',
    filter: 'score >= 60',
    targets: [{ destination_id: team }],
  })
  await send('/lead-routes', {
    name: 'Solar partners',
    state: 'active',
    mode: 'first',
    is_exclusive: true,
    duplicate_days: 30,
    targets: [
      { destination_id: coast, price: 32, caps: { day: 10 } },
      { destination_id: bright, price: 25, caps: { day: 4, month: 200, budget: 4000 } },
      { destination_id: helio, price: 18, caps: { hour: 6, day: 20 } },
    ],
  })
  await send('/lead-routes', {
    name: 'Evenings and weekends',
    state: 'test',
    filter: 'phone is not empty',
    targets: [{ destination_id: helio, price: 12 }],
  })
  for (const name of [
    'Joan Clarke',
    'Tony Hoare',
    'Frances Allen',
    'Ken Iverson',
    'Radia Perlman',
    'Lynn Conway',
    'Adele Goldberg',
  ]) {
    const [first_name, last_name] = name.split(' ')
    const email = `${first_name}@${last_name}.example`.toLowerCase()
    await send('/records/leads', { records: [{ first_name, last_name, email, source: 'Website' }] })
  }
}, `http://127.0.0.1:${receiverPort}`)
await first.waitForFunction(async () => {
  const { items } = await (await fetch('/app/api/lead-deliveries?state=accepted&limit=50')).json()
  const names = ['Brightside Solar', 'Helio Homes', 'Inside sales']
  return items.filter((one: { destination_name: string }) => names.includes(one.destination_name)).length === 7
})

const filter = encodeURIComponent('status in (active, customer) and score > 50')
type Act = (page: Page) => Promise<unknown>
const search: Act = async (page) => {
  await page.keyboard.press('Control+k')
  await page.waitForTimeout(800)
  await page.keyboard.type('el')
  await page.waitForTimeout(800)
}
const unfold: Act = async (page) => {
  await page
    .getByRole('button', { name: /Changed \d+ people/ })
    .first()
    .click()
  await page.waitForTimeout(500)
}
const delivery: Act = async (page) => {
  const list = page.getByRole('list', { name: 'Deliveries' })
  await list.getByText('503').first().waitFor()
  await list.getByText('200').first().click()
  await page.waitForTimeout(500)
}
const preview: Act = async (page) => {
  await page.frameLocator('iframe').getByLabel('Email').waitFor()
  await page.waitForTimeout(500)
}
const redraft: Act = async (page) => {
  await page.getByRole('switch', { name: 'Evenings and weekends is on' }).click({ force: true })
  await page.getByRole('button', { name: 'Move Evenings and weekends' }).press('ArrowUp')
  await page.getByText('would go elsewhere').waitFor()
  await page.waitForTimeout(500)
}
/** A conversation in which an agent proposes a reply; else the first. */
const conversation: Act = async (page) => {
  const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link')
  await rows.first().waitFor()
  const drafted = rows.filter({ hasText: 'Draft' })
  await ((await drafted.count()) ? drafted : rows).first().click()
  await page.getByRole('list', { name: 'Messages' }).waitFor()
  await page.waitForTimeout(1500)
}
// Rules of the inbox with the labels and templates of the demo, and working hours with targets.
await first.evaluate(async () => {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`/app/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return answer.json()
  }
  const { items: labels } = await call('GET', '/conversation-labels')
  const { items: templates } = await call('GET', '/message-templates')
  const { items: users } = await call('GET', '/users?limit=3')
  const day = [
    { from: '09:00', to: '12:30' },
    { from: '13:30', to: '18:00' },
  ]
  const days = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: [], sunday: [] }
  await call('PATCH', '/settings/working-hours', {
    hours: { days, holidays: [{ day: '2026-12-25', name: 'Christmas' }] },
    targets: { response_minutes: 120, resolution_minutes: 1440 },
  })
  const user_ids = users.map(({ id }: { id: string }) => id)
  const rules = [
    { name: 'Orders in turn', actions: [{ kind: 'assign', user_ids }], filter: 'subject ~ order' },
    { name: 'Label invoices', actions: [{ kind: 'label', label_ids: [labels[0].id] }], filter: 'search("invoice")' },
    { name: 'We are closed', during: 'outside_hours', actions: [{ kind: 'reply', template_id: templates[0].id }] },
  ]
  for (const rule of rules) await call('POST', '/inbox-rules', { on: 'conversation_created', ...rule })
})
// People who were entered twice.
await first.evaluate(async () => {
  const create = async (object: string, records: object[]) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ records })
    const answer = await fetch(`/app/api/records/${object}`, { method: 'POST', headers, body })
    return ((await answer.json()) as { records: { id: string }[] }).records.map((record) => record.id)
  }
  const [organization] = await create('organizations', [{ name: 'Harbor Foods', domains: ['harborfoods.example'] }])
  const tags = { tags: ['VIP'] }
  const [mary, again] = await create('people', [
    {
      first_name: 'Mary',
      last_name: 'Jackson',
      emails: ['mary.jackson@harborfoods.example'],
      job_title: 'Head of purchasing',
      status: 'customer',
      city: 'Hamburg',
      organization,
      ...tags,
    },
    {
      first_name: 'Mary',
      last_name: 'Jackson',
      emails: ['mary.jackson+fair@harborfoods.example', 'mjackson@home.example'],
      phones: ['+49 40 5550 112'],
      job_title: 'Purchasing',
      city: 'Bremen',
      linkedin: 'https://linkedin.com/in/maryjackson',
    },
    { first_name: 'Barbara', last_name: 'Liskov', phones: ['+49 30 5550 198'], birthday: '1979-11-07' },
    { first_name: 'Barb', last_name: 'Liskov', phones: ['+49 30 5550 198'], job_title: 'Managing director' },
    { first_name: 'Katherine', last_name: 'Johnson', emails: ['k.johnson@gmail.com'], city: 'Leeds' },
    { first_name: 'Katherine', last_name: 'Johnson', emails: ['kjohnson@gmail.com'], job_title: 'Analyst' },
  ])
  await create('notes', [
    { body: 'Wants the new price list', about: [mary] },
    { body: 'Met at the fair', about: [again] },
  ])
  await create('deals', [{ name: 'Frozen goods', people: [again] }])
})
const compared: Act = async (page) => {
  await page.getByRole('article').getByRole('table').first().waitFor()
  await page.waitForTimeout(500)
}
const shots: [string, typeof desktop, 'light' | 'dark', string, Act?][] = [
  ['dashboard', desktop, 'light', '/dashboard'],
  ['dashboard-dark', desktop, 'dark', '/dashboard'],
  ['dashboard-phone', phone, 'light', '/dashboard'],
  ['deal', desktop, 'light', `/records/deals/${deal}`],
  ['board', desktop, 'light', '/records/deals?type=board'],
  ['deals', desktop, 'light', '/records/deals?by=stage'],
  ['calendar-dark', desktop, 'dark', '/records/tasks?type=calendar&by=due_at'],
  ['board-phone-dark', phone, 'dark', '/records/deals?type=board'],
  ['deals-phone', phone, 'light', '/records/deals'],
  ['my-tasks', desktop, 'light', '/my-tasks'],
  ['panel-dark', desktop, 'dark', `/records/people?record=${id}`],
  ['person-phone-dark', phone, 'dark', `/records/people/${id}`],
  ['duplicates', desktop, 'light', '/duplicates/people', compared],
  ['duplicates-phone-dark', phone, 'dark', '/duplicates/people', compared],
  ['palette-dark', desktop, 'dark', '/records/people', search],
  ['palette-phone', phone, 'light', '/records/people', search],
  ['agent-activity', desktop, 'light', '/activity', unfold],
  ['agent-activity-phone-dark', phone, 'dark', '/activity'],
  ['filter-syntax', desktop, 'light', `/filter-syntax?object=people&filter=${filter}`],
  ['filter-syntax-phone-dark', phone, 'dark', `/filter-syntax?object=people&filter=${filter}`],
  ['webhook-log', desktop, 'light', `/company/webhooks/${webhook}`, delivery],
  ['form-builder', desktop, 'light', `/company/website-leads/${form}`, preview],
  ['form-builder-phone-dark', phone, 'dark', `/company/website-leads/${form}`],
  ['submissions', desktop, 'light', '/company/website-leads?tab=submissions'],
  ['lead-routes', desktop, 'light', '/lead-sending'],
  ['lead-simulator', desktop, 'light', '/lead-sending?tab=simulator', redraft],
  ['lead-deliveries-dark', desktop, 'dark', '/lead-sending?tab=deliveries'],
  ['lead-routes-phone', phone, 'light', '/lead-sending'],
  ['inbox', desktop, 'light', '/inbox', conversation],
  ['inbox-draft-dark', desktop, 'dark', '/inbox', conversation],
  ['inbox-phone', phone, 'light', '/inbox'],
  ['inbox-rules', desktop, 'light', '/company/inbox-rules'],
  ['inbox-report', desktop, 'light', '/company/inbox-report'],
  ['working-hours-phone-dark', phone, 'dark', '/company/working-hours'],
  ['request-inspector-dark', desktop, 'dark', '/_profiler/'],
]
for (const [name, viewport, scheme, path, act] of shots.filter(([name]) => isWanted(name))) {
  const page = await open(viewport, scheme)
  await page.context().addCookies(cookies)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(800)
  await act?.(page)
  await take(page, name)
}
await browser.close()
receiver.close()
await kith.stop()
rmSync(folder, { recursive: true })
