// Covers: web/screens/settings web/roles web/users
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { givenPassword } from '../given.ts'
import { choose, chooseAccess, focused, heading, inDialog, row, sections } from './company-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'
import { screens } from './screens.ts'

const { kith, ada, at, visit, expectComplaint } = await testWeb()

test('a new address of a member waits until it is confirmed by the link', async () => {
  const { owner, token, api } = await ada()
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  const page = await visit(`/company/members/${member.user_id}`, { token })
  await page.getByText('They sign in with this address.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Mia Miller')
  await page.getByLabel('Email').fill('mia.miller@example.com')
  await page.getByRole('button', { name: 'Save details' }).click()
  await dialog(page).getByText('Mia Miller signs in with the old address').waitFor()
  await expectUsable(page)
  const link = (await page.getByRole('region', { name: 'Link' }).locator('code').textContent())!
  await inDialog(page, 'Done').click()
  await page.getByText('Waiting until mia.miller@example.com is confirmed.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(member.email)
  await page.getByLabel('Name', { exact: true }).fill('Mia M.')
  await page.getByRole('button', { name: 'Save details' }).click()
  await page.getByText('Details saved').waitFor()
  await page.getByText('Waiting until mia.miller@example.com is confirmed.').waitFor()

  const { pathname, hash } = new URL(link)
  const hers = await visit(pathname + hash, { token: await kith.given.session(member), viewport: phone })
  await heading(hers, 'Confirm your address').waitFor()
  expect(await hers.getByLabel('New address').inputValue()).toBe('mia.miller@example.com')
  await expectUsable(hers)
  await hers.getByRole('button', { name: 'Confirm address' }).click()
  await heading(hers, 'Your address is confirmed').waitFor()
  await expectUsable(hers)
  await hers.getByRole('link', { name: 'Go to Kith' }).click()
  await hers.waitForURL('**/dashboard')
  expect(await api.getUser({ id: member.user_id })).toMatchObject({ email: 'mia.miller@example.com', name: 'Mia M.' })
  expectComplaint(/404/)
  const again = await visit(pathname + hash)
  await again.getByText('ask your Admin for a new one').waitFor()
  await expectUsable(again)
})

test('an agent is added, gets a key that works, and loses it again', async () => {
  const { page } = await at('/company/members')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await dialog(page).getByLabel('Name').fill('Lead Researcher')
  await inDialog(page, 'Add agent').click()
  await heading(page, 'Lead Researcher').waitFor()
  await page.getByText('No keys yet').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog(page).getByLabel('Name').fill('n8n')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.getByRole('region', { name: 'Your new key' }).locator('code').textContent())!
  expect(await kith.withKey(value).whoami({})).toMatchObject({
    name: 'Lead Researcher',
    kind: 'agent',
    role: 'Assistant agent',
  })
  await page.getByRole('button', { name: 'Copy key' }).click()
  await inDialog(page, 'Done').click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(value)
  await kith.requests.flush()

  await sections(page).filter({ hasText: 'All API keys' }).click()
  await heading(page, 'All API keys').waitFor()
  expect(await row(page, 'n8n').textContent()).toContain('Lead Researcher')
  await page.getByRole('checkbox', { name: 'n8n' }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await inDialog(page, 'Delete').click()
  await page.getByText('1 key deleted').waitFor()
  await expect(kith.withKey(value).whoami({})).rejects.toThrow()
})

test('someone who lost their phone can sign in again, and the reset link says that two-factor sign-in stays on', async () => {
  const { owner, token, api } = await ada()
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  const hers = kith.withSession(await kith.given.session(member))
  const { secret } = await hers.startTwoFactor({ current_password: givenPassword })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: kith.time.now.getTime() })
  await hers.confirmTwoFactor({ code })
  const page = await visit(`/company/members/${member.user_id}`, { token })
  await page.getByRole('button', { name: 'Create a reset link' }).click()
  await dialog(page).getByText('Two-factor sign-in stays on').waitFor()
  await inDialog(page, 'Cancel').click()
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  await dialog(page).getByText('Turn off two-factor for Mia Member?').waitFor()
  await expectUsable(page)
  await inDialog(page, 'Turn off').click()
  await page.getByText('Two-factor sign-in for Mia Member is off').waitFor()
  expect(await api.getUser({ id: member.user_id })).toMatchObject({ two_factor: false })
  expect(await page.getByRole('button', { name: 'Turn off two-factor' }).count()).toBe(0)
  await page.goto('/company/audit-log')
  await page.getByText('Ada Lovelace turned off two-factor sign-in of Mia Member').waitFor()
})

test('a role that someone has says why it cannot be deleted', async () => {
  const { owner, token, api } = await ada()
  const { id } = await api.createRole({ name: 'Sales', records: { '*': everything } })
  const member = await kith.given.user(owner)
  await api.updateUserRole({ id: member.user_id, role: 'Sales' })
  const page = await visit(`/company/roles/${id}`, { token })
  await page.getByText('1 user has this role. To delete it, give them another one first.').waitFor()
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
})

test('the last Admin cannot give up the role, and the error says why', async () => {
  const { owner, token } = await ada()
  const page = await visit(`/company/members/${owner.user_id}`, { token })
  expect(await page.getByRole('button', { name: 'Deactivate' }).count()).toBe(0)
  await choose(page, 'Role', 'Member')
  expectComplaint(/409/)
  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('alert').getByText(/Admin/).waitFor()
  expect(await page.getByRole('combobox', { name: 'Role' }).inputValue(), 'the choice is kept').toBe('Member')
})

test('exceptions can be made for custom objects, renamed ones have their name, and later objects follow the default', async () => {
  const { owner, token, api } = await ada()
  await api.createObject({ key: 'ndas', label: 'NDA', label_plural: 'NDAs' })
  await api.updateObject({ object: 'deals', label: 'Opportunity', label_plural: 'Opportunities' })
  const page = await visit('/company/roles/new', { token })
  await page.getByLabel('Name', { exact: true }).fill('Legal')
  await chooseAccess(page, 'Default access', /^Read only/)
  await chooseAccess(page, 'Add exception', /^NDAs$/)
  await chooseAccess(page, 'Access to NDAs', /^Full access/)
  await chooseAccess(page, 'Add exception', /^Opportunities$/)
  await chooseAccess(page, 'Access to Opportunities', /^None/)
  await page.getByRole('button', { name: 'Create role' }).click()
  await heading(page, 'Legal').waitFor()
  const made = (await api.listRoles({})).items.find(({ name }) => name === 'Legal')!
  expect(made.records).toMatchObject({ '*': { read: 'all', edit: 'none' }, ndas: everything, deals: { read: 'none' } })
  await page.goto('/company/roles')
  await page.getByText('Exceptions for NDAs and Opportunities.').waitFor()
  await api.createObject({ key: 'plans', label: 'Plan', label_plural: 'Plans' })
  const user = await kith.given.user(owner, { role: 'Legal' })
  const { objects } = await kith.withSession(await kith.given.session(user)).describeSchema({})
  expect(objects.find(({ key }) => key === 'plans')!.rights).toMatchObject({ read: 'all', edit: 'none' })
  expect(objects.find(({ key }) => key === 'deals')).toBe(undefined)
})

test('on a phone, an exception is added and removed', async () => {
  const { token, api } = await ada()
  const { id } = await api.createRole({ name: 'Sales', records: { '*': everything } })
  const page = await visit(`/company/roles/${id}`, { token, viewport: phone })
  await chooseAccess(page, 'Add exception', /^Leads$/)
  await chooseAccess(page, 'Access to Leads', /^Read only/)
  await expectUsable(page)
  await page.getByRole('button', { name: 'Save role' }).click()
  await page.getByText('Role saved').waitFor()
  const { records } = (await api.listRoles({})).items.find((role) => role.id === id)!
  expect(records).toMatchObject({ '*': everything, leads: { read: 'all', edit: 'none' } })
})

test('a member gets another role, is deactivated, let in again and removed, each in clear words', async () => {
  const { owner, token, api } = await ada()
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  const successor = await kith.given.user(owner, { name: 'Hana Heir' })
  const page = await visit(`/company/members/${member.user_id}`, { token })
  await page.getByText('Reads and edits all records, deletes their own, creates new ones.').waitFor()
  await choose(page, 'Role', 'Admin')
  await page.getByText('Can do everything').waitFor()
  await page.getByRole('button', { name: 'Change role' }).click()
  await inDialog(page, 'Make Admin').click()
  await page.getByText('Mia Member now has the role Admin').waitFor()
  expect(await focused(page)).toBe('Mia Member')

  await page.getByRole('button', { name: 'Create a reset link' }).click()
  expect(await dialog(page).textContent()).toContain('works once, for 1 hour')
  await inDialog(page, 'Create link').click()
  expect(await page.getByRole('region', { name: 'Link' }).textContent()).toContain('/reset-password#')
  await inDialog(page, 'Done').click()

  await page.getByRole('button', { name: 'Deactivate' }).click()
  const takesOver = page.getByRole('combobox', { name: 'Who takes over the records?' })
  expect(await takesOver.inputValue()).toBe('Ada Lovelace')
  await takesOver.fill('Hana')
  await page.getByRole('option', { name: 'Hana Heir' }).click()
  await inDialog(page, 'Deactivate').click()
  await page.getByText('Mia Member is deactivated').waitFor()
  const { items } = await api.listAuditEvents({ action: 'user.deactivated' })
  expect(items[0]!.data).toMatchObject({ reassign_to: successor.user_id })
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await page.getByText('They can sign in again').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await inDialog(page, 'Remove').click()
  await page.waitForURL('**/company/members')
  await row(page, 'Hana Heir').waitFor()
  await expect.poll(() => row(page, 'Mia Member').count()).toBe(0)
})

test.each(
  screens([
    ['a desktop in light', desktop, 'light'],
    ['a phone in dark', phone, 'dark'],
  ] as const),
)('the dialogs about members are usable on %s', async (_, viewport, colorScheme) => {
  const { owner, page } = await at('/company/members', { viewport, colorScheme })
  const opened = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await expectUsable(page)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  for (const name of ['Invite', 'Add agent']) await opened(name)
  const member = await kith.given.user(owner, { name: 'Mia Member' })
  await goTo(page, `/company/members/${member.user_id}`)
  for (const name of ['Create a reset link', 'Deactivate', 'Remove']) await opened(name)
})
