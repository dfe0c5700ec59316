// Covers: web/screens/api web/screens/profile
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { answer, list, send, status } from './api-operations.ts'

const web = await testWeb()
const { kith, ada, visit } = web

test('IDs come from the company, and what a role does not allow has a lock', async () => {
  const { api, owner } = await ada()
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Grace' }] })
  const member = await kith.given.user(owner, { name: 'Mia' })
  const page = await visit('/api-reference?operation=getRecord', { token: await kith.given.session(member) })
  await expect.poll(() => page.getByRole('combobox', { name: 'id', exact: true }).inputValue()).toBe(records[0]!.id)
  await send(page)
  await status(page, 200)
  expect(await answer(page).textContent()).toContain('"first_name": "Grace"')
  expect(await answer(page).getByRole('link', { name: 'Inspect' }).count(), 'not for this role').toBe(0)
  const locked = list(page).getByRole('link', { name: /^Create a role/ })
  await locked.getByRole('img', { name: 'Not allowed by your role' }).waitFor()
  await locked.click()
  await page.getByText('Only Admins can call this.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create a role')
  await list(page).getByRole('link', { name: 'deal.won' }).click()
  await page.getByText('webhook-signature').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Create a role', level: 2 }).waitFor()
})

test('the profile page shows how to connect a client, and starts a narrow role for an agent', async () => {
  const { token } = await ada()
  const page = await visit('/profile/api-connectors', { token })
  await page.getByText('Windsurf', { exact: true }).click()
  await page.getByText('~/.codeium/windsurf/mcp_config.json').waitFor()
  await expectUsable(page)
  const recipe = page.getByRole('listitem').filter({ hasText: 'Assistant agent' })
  await recipe.getByRole('link', { name: 'Create this role' }).click()
  await page.getByRole('heading', { name: 'New role' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Assistant agent')
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('heading', { name: 'Assistant agent', level: 1 }).waitFor()
  const { items } = await kith.withSession(token).listRoles({})
  const role = items.find(({ name }) => name === 'Assistant agent')
  expect(role?.records?.['*']).toEqual({ read: 'all', create: false, edit: 'none', delete: 'none' })
  expect(role?.records?.notes).toEqual({ read: 'all', create: true, edit: 'own', delete: 'none' })
})
