import { expect, test } from 'vitest'
import { expectUsableSomewhere, testWeb } from '../browser.ts'
import { testSmtp } from '../smtp.ts'
import { choose, inDialog, row, sections } from './company-page.ts'
import { goTo } from './navigate.ts'

const { kith, ada, at, visit, expectComplaint } = await testWeb()

test('an Admin sees every section, a Member only those for everyone, and a closed section says so', async () => {
  const { owner, page } = await at('/company')
  await sections(page).first().waitFor()
  expect(await sections(page).allTextContents()).toEqual([
    'Details',
    'Members',
    'Roles',
    'Objects and fields',
    'Pipelines',
    'Webhooks',
    'Website leads',
    'Channels',
    'Inbox rules',
    'Working hours',
    'Inbox report',
    'Mail',
    'All API keys',
    'Audit log',
    'Data retention',
  ])
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  const hers = await visit('/company', { token: await kith.given.session(member) })
  await hers.getByText('Acme Industries', { exact: true }).first().waitFor()
  expect(await sections(hers).allTextContents()).toEqual(['Details', 'Members', 'Inbox report'])
  expect(await hers.getByRole('textbox').count(), 'nothing to change').toBe(0)
  await sections(hers).filter({ hasText: 'Members' }).click()
  await row(hers, 'Ada Lovelace').waitFor()
  expect(await hers.getByRole('table').textContent(), 'names, not addresses').not.toContain('@')
  expect(await hers.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  for (const path of ['roles', 'roles/new', 'mail', 'api-keys', 'audit-log', 'data-retention']) {
    await goTo(hers, `/company/${path}`)
    await hers.getByText('You don’t have access').waitFor()
  }
  const office = await kith.given.user(owner, { name: 'Olga Office', grants: ['company.manage'] })
  const theirs = await visit('/company/mail', { token: await kith.given.session(office) })
  await theirs.getByText('Only Admins can see and change this.').waitFor()
  expect(await sections(theirs).allTextContents()).toEqual(['Details', 'Members', 'Inbox report'])
  await sections(theirs).filter({ hasText: 'Details' }).click()
  await theirs.getByLabel('Company name').waitFor()
})

test('name, region and currencies can be changed, and an invalid rate is refused at its field', async () => {
  const { page, api } = await at('/company')
  await page.getByLabel('Company name').fill('Acme Ltd')
  await page.getByRole('button', { name: 'Save company name' }).click()
  await page.getByText('Company name saved').waitFor()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
  await page.getByRole('option', { name: /New York/ }).click()
  await choose(page, 'Language', 'German (Austria)')
  await page.getByText(/31\.12\.2026/).waitFor()
  await page.getByPlaceholder('Austria').waitFor()
  await page.getByRole('combobox', { name: 'Country' }).fill('switz')
  await page.getByRole('option', { name: 'Switzerland' }).click()
  await choose(page, 'First day of the week', 'Sunday')
  await page.getByRole('button', { name: 'Save region' }).click()
  await page.getByText('Region saved').waitFor()

  await choose(page, 'Company currency', /^EUR/)
  await choose(page, 'Add a currency', /^USD/)
  const rate = page.getByLabel('Rate of USD')
  await page.getByRole('button', { name: 'Save currencies' }).click()
  await page.getByText('Use a rate above 0').waitFor()
  expect(await rate.evaluate((field) => field === document.activeElement)).toBe(true)
  await rate.fill('about 1')
  await page.getByRole('button', { name: 'Save currencies' }).click()
  await page.getByText('Enter a number such as 0,95').waitFor()
  await rate.fill('0,92')
  await page.getByRole('button', { name: 'Save currencies' }).click()
  await page.getByText('Currencies saved').waitFor()
  expect(await api.getCompany({})).toMatchObject({
    name: 'Acme Ltd',
    time_zone: 'America/New_York',
    language: 'de-AT',
    country: 'CH',
    first_weekday: 'sunday',
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 0.92 }],
  })
  expect(await rate.inputValue(), 'written as the company writes').toBe('0,92')
  await page.getByRole('button', { name: 'Remove USD' }).click()
  await page.getByRole('button', { name: 'Save currencies' }).click()
  await expect.poll(async () => (await api.getCompany({})).rates).toEqual([])
})

test('a mail server is set, tested and removed, and a failed test says why', async () => {
  const smtp = await testSmtp({ auth: { user: 'crm', pass: 'a mail password' } })
  const { owner, page, api } = await at('/company/mail')
  await page.getByText('Mail is not set up').waitFor()
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await choose(page, 'Security', /None/)
  expect(await page.getByLabel('Port').inputValue(), 'the port follows the security').toBe('25')
  await page.getByLabel('Port').fill(String(smtp.port))
  await page.getByLabel('User name').fill('crm')
  await page.getByLabel('Password', { exact: true }).fill('a wrong password')
  await page.getByLabel('From address').fill('crm@example.com')
  await page.getByRole('button', { name: 'Save mail server' }).click()
  await page.getByText('Your own server sends mail').waitFor()
  expectComplaint(/4\d\d|5\d\d/)
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page
    .getByRole('alert')
    .getByText(/password/i)
    .waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a mail password')
  await page.getByRole('button', { name: 'Save mail server' }).click()
  await page.getByText('Leave empty to keep the current password').waitFor()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText(`Sent to ${owner.email}`).waitFor()
  expect(smtp.received[0]!.recipients).toEqual([owner.email])
  expect(await page.content()).not.toContain('a mail password')
  await page.getByRole('button', { name: 'Remove the mail server' }).click()
  await inDialog(page, 'Remove').click()
  await page.getByText('Mail is not set up').waitFor()
  expect((await api.getMailSettings({})).source).toBe('none')
})

test('the audit log says who did what, and can be filtered and exported', async () => {
  const { owner, token, api } = await ada()
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  await api.updateUserRole({ id: member.user_id, role: 'Admin' })
  await api.createApiKey({ name: 'Cursor' })
  const gone = await kith.given.user(owner, { name: 'Gone Girl' })
  await api.updateUserRole({ id: gone.user_id, role: 'Admin' })
  await api.deleteUser({ id: gone.user_id })
  const page = await visit('/company/audit-log', { token })
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await events.first().waitFor()
  const told = (await events.allTextContents()).slice(0, 4)
  for (const [place, words] of [
    'Ada Lovelace removed Gone Girl',
    "Ada Lovelace changed Gone Girl's role from Member to Admin",
    'Ada Lovelace created the key “Cursor”',
    "Ada Lovelace changed Mia Member's role from Member to Admin",
  ].entries())
    expect(told[place]).toContain(words)
  await events.nth(3).locator('summary').click()
  await events.nth(3).getByText('user.role_changed').waitFor()
  await choose(page, 'Event', 'Key created')
  await expect.poll(() => events.count()).toBe(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const table = Buffer.concat(await Array.fromAsync(await download.createReadStream())).toString()
  expect(table).toContain('api_key.created')
  expect(table).not.toContain('user.role_changed')
  await choose(page, 'Event', 'Password changed')
  await page.getByText('No matches').waitFor()
})

test('every page of the company is usable', async () => {
  const { owner, page, api } = await at('/company', { colorScheme: 'light' })
  const member = await kith.given.user(owner, { name: 'Mia with one long name that has to wrap on a telephone' })
  const agent = await api.createUser({ kind: 'agent', name: 'Agent', role: 'Member' })
  await api.createAgentApiKey({ id: agent.id, name: 'n8n' })
  const role = await api.createRole({
    name: 'Sales',
    records: {
      '*': { read: 'all', create: true, edit: 'own', delete: 'none' },
      deals: { read: 'own', create: false, edit: 'none', delete: 'none' },
    },
  })
  const builtIn = (await api.listRoles({})).items.find(({ name }) => name === 'Member')!
  const paths = [
    '',
    '/members',
    `/members/${member.user_id}`,
    `/members/${agent.id}`,
    '/members/nobody',
    '/roles',
    `/roles/${role.id}`,
    `/roles/${builtIn.id}`,
    '/roles/nothing',
    '/mail',
    '/api-keys',
    '/audit-log',
    '/data-retention',
    '/nothing',
  ]
  for (const [index, path] of paths.entries()) {
    if (path.endsWith('nobody')) expectComplaint(/422|400|404/)
    await goTo(page, `/company${path}`)
    await expect.poll(() => page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    await expectUsableSomewhere(page, index)
  }
})
