import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { chooseAccess, focused, heading, inDialog, row, sections } from './company-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'

const { kith, ada, at, visit } = await testWeb()

test('someone is invited by a link that is shown once, can be renewed, and withdrawn', async () => {
  const { page, api } = await at('/company/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  await inDialog(page, 'Invite').click()
  await page.getByText('Enter an email address').waitFor()
  await page.getByText('Mail is not set up. You get a link to share yourself.').waitFor()
  expect(await dialog(page).getByRole('checkbox').count(), 'no email is promised').toBe(0)
  await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
  await dialog(page).getByLabel('Name').fill('Grace Hopper')
  await inDialog(page, 'Invite').click()
  await page.getByText('No email was sent').waitFor()
  const shown = page.getByRole('region', { name: 'Link' }).locator('code')
  const link = (await shown.textContent())!
  expect(link).toContain('/join#')
  await page.getByRole('button', { name: 'Copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await inDialog(page, 'Done').click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(link.split('#')[1])

  expect(await row(page, 'Grace Hopper').textContent()).toContain('Invited')
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await heading(page, 'Grace Hopper').waitFor()
  await expect.poll(() => focused(page)).toBe('Grace Hopper')
  await page.getByRole('button', { name: 'New invitation link' }).click()
  await inDialog(page, 'Create link').click()
  const renewed = (await shown.textContent())!
  expect(renewed).not.toBe(link)
  await inDialog(page, 'Done').click()
  await page.getByRole('button', { name: 'Withdraw the invitation' }).click()
  await inDialog(page, 'Withdraw').click()
  await page.waitForURL('**/company/members')
  await expect.poll(async () => (await api.listUsers({ state: 'all' })).items.length).toBe(1)
})

test('people who manage members cannot assign a role above their own, nor edit members who have it', async () => {
  const { owner, api } = await ada()
  const records = { '*': { read: 'all', create: true, edit: 'all', delete: 'own' } } as const
  await api.createRole({ name: 'Office', grants: ['members.manage', 'records.export', 'messages.send'], records })
  const clerk = await kith.given.user(owner, { name: 'Clara Clerk' })
  await api.updateUserRole({ id: clerk.user_id, role: 'Office' })
  const page = await visit('/company/members', { token: await kith.given.session(clerk) })
  await page.getByRole('button', { name: 'Invite' }).click()
  await dialog(page).getByText('roles with more permissions than yours').waitFor()
  await page.getByRole('combobox', { name: 'Role' }).click()
  expect(await page.getByRole('option', { name: 'Admin' }).getAttribute('data-combobox-disabled')).toBe('true')
  expect(await page.getByRole('option', { name: 'Member' }).getAttribute('data-combobox-disabled')).toBe(null)
  await goTo(page, `/company/members/${owner.user_id}`)
  await page.getByText('The role Admin has permissions that yours does not have').waitFor()
  expect(await page.getByRole('main').getByRole('button').count(), 'nothing to change').toBe(0)
  await expectUsable(page)
})

test('a role is duplicated, gets a default and exceptions, and leaving unsaved changes asks first', async () => {
  const { page, api } = await at('/company/roles')
  await page.getByRole('link', { name: 'Member', exact: true }).click()
  await page.getByText('Member is a built-in role').waitFor()
  await page.getByText('Reads and edits all records, deletes their own, creates new ones.').first().waitFor()
  expect(await page.getByRole('main').getByRole('combobox').count(), 'nothing to change').toBe(0)
  await page.getByRole('link', { name: 'Duplicate to customize' }).click()
  await heading(page, 'New role').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Sales')
  const level = page.getByRole('combobox', { name: 'Default access', exact: true })
  expect(await level.inputValue(), 'what Members may do has no name').toBe('Custom')
  await page.getByRole('radiogroup', { name: 'Delete: Default access' }).getByText('None', { exact: true }).click()
  await chooseAccess(page, 'Add exception', /^Notes$/)
  await chooseAccess(page, 'Access to Notes', /^Own records/)
  await chooseAccess(page, 'Add exception', /^Deals$/)
  await page.getByRole('button', { name: 'Remove the exception for Deals' }).click()
  await expectUsable(page)
  await page.getByLabel('Read the audit log').check()
  await sections(page).filter({ hasText: 'Mail' }).click()
  await page.getByText('Leave without saving?').waitFor()
  await inDialog(page, 'Stay').click()
  await page.getByRole('button', { name: 'Create role' }).click()
  await heading(page, 'Sales').waitFor()
  const made = (await api.listRoles({})).items.find(({ name }) => name === 'Sales')!
  expect(made.grants!.toSorted(), 'what it has beyond that stays').toEqual([
    'audit.read',
    'messages.send',
    'records.export',
  ])
  expect(made.records).toEqual({
    '*': { read: 'all', create: true, edit: 'all', delete: 'none' },
    notes: { read: 'own', create: true, edit: 'own', delete: 'own' },
  })

  await chooseAccess(page, 'Access to Notes', /^Custom/)
  await page.getByRole('radiogroup', { name: 'Edit: Notes' }).getByText('All', { exact: true }).click()
  await page.getByRole('button', { name: 'Save role' }).click()
  await page.getByText('Role saved').waitFor()
  const saved = (await api.listRoles({})).items.find(({ name }) => name === 'Sales')!
  expect(saved.records!.notes, 'who edits all reads all').toMatchObject({ read: 'all', edit: 'all' })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  expect(await dialog(page).textContent()).toContain('Delete the role Sales?')
  await inDialog(page, 'Delete').click()
  await page.waitForURL('**/company/roles')
  await expect.poll(async () => (await api.listRoles({})).items.length).toBe(2)
})
