// Covers: web/keys web/screens/api-keys web/screens/profile
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { create, finish, row, shownValue, testApiKeys } from './api-keys-page.ts'
import { dialog } from './record-page.ts'

const { kith, visit, expectComplaint, atKeys, use } = await testApiKeys()

test('every client gets its configuration, first with the variable, then with the value', async () => {
  const { page } = await atKeys()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('Cursor at home')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await shownValue(page).textContent())!
  const chosen = dialog(page).getByRole('radio', { checked: true })
  expect(await chosen.getAttribute('value'), 'guessed from the name').toBe('Cursor')
  const panel = dialog(page).getByRole('tabpanel')
  const names = await dialog(page)
    .getByRole('radio')
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  expect(names).toEqual([
    'Claude Desktop',
    'Claude Code',
    'ChatGPT / Codex',
    'Cursor',
    'VS Code',
    'Windsurf',
    'Gemini CLI',
    'LibreChat',
    'n8n',
    'JavaScript',
    'Python',
    'curl',
  ])
  const endpoint = `${new URL(page.url()).origin}/api/v1/mcp`
  for (const name of names) {
    await dialog(page).getByText(name, { exact: true }).click()
    const tabs = dialog(page).getByRole('tab')
    expect(await tabs.allTextContents()).toEqual(['Environment variable', 'Literal'])
    const first = await panel.textContent()
    for (const part of ['KITH_API_KEY', 'x-api-key', endpoint]) expect(first, name).toContain(part)
    expect(first, name).not.toContain(value)
    await tabs.last().click()
    const second = await panel.textContent()
    for (const part of [value, 'x-api-key', endpoint]) expect(second, name).toContain(part)
  }
})

test('closing before copying asks once; copying the literal counts', async () => {
  const { page } = await atKeys()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('Codex')
  await page.getByRole('button', { name: 'Create key' }).click()
  await shownValue(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('You have not copied the key').waitFor()
  await page.getByRole('button', { name: 'Back to the key' }).click()
  await shownValue(page).waitFor()
  await page.getByRole('tab', { name: 'Literal' }).click()
  await dialog(page).getByRole('button', { name: 'Copy configuration' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('http_headers')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'API & Connectors' }).click()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('Left behind')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await shownValue(page).textContent())!
  await page.evaluate(() => history.back())
  await page.getByText('You have not copied the key').waitFor()
  expect(page.url()).toContain('/profile/api-connectors')
  await page.getByRole('button', { name: 'Close without copying' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(value)
})

test('a key is renamed in its menu, and the focus returns to it', async () => {
  const { page, api } = await atKeys()
  await create(page, 'Old laptop')
  await page.getByRole('button', { name: 'Actions for Old laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Name', { exact: true }).fill('New laptop')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('checkbox', { name: 'New laptop', exact: true }).waitFor()
  expect((await api.listApiKeys({})).items.map(({ name }) => name)).toEqual(['New laptop'])
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(focused).toBe('Actions for New laptop')
})

test('a rotation links the new key to the old, and says who still uses the old one', async () => {
  const { page, api } = await atKeys()
  const old = await create(page, 'Assistant')
  await use(old, 'claude-desktop/1.2.3')
  await page.getByRole('button', { name: 'Actions for Assistant' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  expect(await dialog(page).getByRole('listitem').allTextContents()).toEqual([
    'Create a new key.',
    'Switch every client from the old key to the new one.',
    'Delete the old key.',
  ])
  expect(await page.getByLabel('Name').inputValue()).toBe('Assistant')
  const fresh = await finish(page)
  const replacing = row(page, `Replaces Assistant ${old.slice(0, 4)}…`)
  await replacing.waitFor()
  expect(await replacing.textContent()).toContain(fresh.slice(0, 4))
  const leaving = row(page, 'Still used by')
  expect(await leaving.textContent()).toMatch(/claude-desktop\/1\.2\.3, (just now|\d+ min)/)
  const [first, second] = (await api.listApiKeys({})).items
  expect(first!.replaces_id).toBe(second!.id)
})

test('a list that cannot be loaded says so and offers to retry', async () => {
  const { page } = await atKeys()
  expectComplaint(/400|Failed to load/)
  await page.route('**/app/api/api-keys', (route) => route.fulfill({ status: 400, json: { detail: 'Not today.' } }))
  await page.reload()
  await page.getByText('Not today.').waitFor()
  await expectUsable(page)
  await page.unroute('**/app/api/api-keys')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('No keys yet').waitFor()
})

test('the reference links to the keys, and its curl command can be copied', async () => {
  const token = await kith.given.session(await kith.given.company())
  const page = await visit('/api-keys', { token })
  await page.getByRole('button', { name: 'Copy curl command' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of ['/api/v1/mcp', 'x-api-key: $KITH_API_KEY', 'application/json, text/event-stream', 'tools/list'])
    expect(copied).toContain(part)
  const codes = await page.getByRole('table', { name: 'Status codes' }).getByRole('row').allTextContents()
  const expected = ['200', '201', '202', '400', '401', '403', '404', '405', '406', '409', '413', '415', '422', '429']
  expect(codes.slice(1).map((text) => text.slice(0, 3))).toEqual(expected)
  await page.getByRole('link', { name: 'Manage your keys' }).click()
  await page.getByRole('heading', { name: 'API & Connectors', level: 1 }).waitFor()
})

/** Whether nothing covers or cuts off the middle of the element. */
function isInSight(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('the connection test shows the tools that the new key unlocks', async () => {
  const { page } = await atKeys()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('curl')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  const connected = page.getByText(/Connected\. This key can use \d+ tools?\./)
  await expect.poll(() => connected.evaluate(isInSight)).toBe(true)
  expect(await page.getByRole('list', { name: 'Tools' }).getByRole('listitem').allTextContents()).toContain('whoami')
  await expectUsable(page)

  expectComplaint(/401/)
  const token = (await page.context().cookies()).find(({ name }) => name === 'kith_session')!.value
  const api = kith.withSession(token)
  await api.deleteApiKeys({ ids: (await api.listApiKeys({})).items.map(({ id }) => id) })
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('create a new one').waitFor()
})

test('keys are selected by name and deleted together, after a warning that names the clients', async () => {
  const { page } = await atKeys()
  const used = await create(page, 'Busy')
  const idle = await create(page, 'Idle')
  const kept = await create(page, 'Kept')
  await use(used, 'n8n/2.4.1')
  await page.reload()
  const remove = page.getByRole('button', { name: 'Delete' })
  await page.getByRole('checkbox', { name: 'Busy', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Idle', exact: true }).check()
  await page.getByText('2 selected').waitFor()
  await remove.click()
  expect(await dialog(page).textContent()).toMatch(/Busy.*last 24 hours.*n8n\/2\.4\.1, (just now|\d+ minutes? ago)/)
  expect(await dialog(page).textContent()).toContain('Idle')
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 keys deleted').waitFor()
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1)
  await expect.poll(() => remove.isDisabled()).toBe(true)
  const focused = () => page.evaluate(() => document.activeElement?.tagName)
  await expect.poll(focused, { message: 'the focus is not lost' }).toBe('H1')
  for (const value of [used, idle]) await expect(kith.withKey(value).whoami({})).rejects.toThrow()
  await kith.withKey(kept).whoami({})
})
