// Covers: web/markdown web/screens/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, heading, part } from './record-page.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('a note that is too deep, too long or too complex to format is shown as plain text, and the page still works', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const hostile = ['> '.repeat(1500), '>'.repeat(20_000), '*a '.repeat(15_000), '*a '.repeat(6000), '+ '.repeat(5000)]
  for (const text of ['**fine**', ...hostile]) await create(api, 'notes', { body: `${text}x`, about: [id] })
  const page = await visit(`/records/people/${id}`, { token })
  const notes = part(page, 'Timeline')
  await notes.locator('strong', { hasText: 'fine' }).waitFor()
  expect(await notes.getByText('Shown as plain text').count()).toBe(hostile.length)
  await page.getByRole('button', { name: 'Changes' }).click()
  await notes.getByText('Shown as plain text').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await notes.getByText('Shown as plain text').nth(2).waitFor()

  const hostileNote = notes.getByRole('listitem').filter({ hasText: 'Shown as plain text' }).first()
  await hostileNote.hover()
  await hostileNote.getByRole('button', { name: /^Actions for the note/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editor = page.getByRole('textbox', { name: 'Note', exact: true })
  await editor.fill('Now **short**')
  await expectUsable(page)
  await page.keyboard.press('Control+Enter')
  await notes.locator('strong', { hasText: 'short' }).waitFor()
})

test('a note that cannot be rendered is shown as plain text, and the page still works', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  await create(api, 'notes', { body: 'This **breaks** the reader', about: [id] })
  const page = await visit('/dashboard', { token })
  expectComplaint(/broken on purpose/)
  await page.addInitScript(() => {
    const { replace } = String.prototype
    // biome-ignore lint/suspicious/noExplicitAny: whatever was called
    String.prototype.replace = function (this: string, ...given: any) {
      if (this.includes('**breaks**')) throw new Error('broken on purpose')
      return replace.apply(this, given)
    }
  })
  await page.goto(`/records/people/${id}`)
  await part(page, 'Timeline').getByText('This **breaks** the reader').waitFor()
  await part(page, 'Timeline').getByText('Shown as plain text').waitFor()
  await heading(page, 'Grace').waitFor()
})

test('Escape closes the list of teammates and leaves the text', async () => {
  const { owner, token, api } = await ada()
  await kith.given.user(owner, { name: 'Anna Berg' })
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit(`/records/people/${id}`, { token, viewport: phone })
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('button', { name: 'Mention someone' }).click()
  await page.getByRole('option', { name: 'Anna Berg' }).waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await page.getByRole('option').waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'New note' }).textContent()).toBe('@')
})

test('a note can be answered, and replies stand below it', async () => {
  const { token, api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const note = await create(api, 'notes', { body: 'Shall we offer two years?', about: [id] })
  const page = await visit(`/records/people/${id}`, { token })
  const entry = part(page, 'Timeline').getByRole('listitem').filter({ hasText: 'two years' }).first()
  await entry.hover()
  await entry.getByRole('button', { name: /^Actions for the note/ }).click()
  await page.getByRole('menuitem', { name: 'Reply' }).click()
  await page.keyboard.type('Yes, with 5 %')
  await page.keyboard.press('Control+Enter')
  const replies = entry.getByRole('list', { name: 'Replies' })
  await replies.getByText('Yes, with 5 %').waitFor()
  await expectUsable(page)
  const [reply] = (await api.queryRecords({ object: 'notes', filter: 'reply_to is not empty' })).records
  expect(reply).toMatchObject({ created_by: owner.user_id, reply_to: { id: note.id }, about: [{ id }] })
})

test('typing @ in a note offers teammates, and the mention is stored in its Markdown', async () => {
  const { owner, token, api } = await ada()
  const anna = await kith.given.user(owner, { name: 'Anna Berg' })
  await kith.given.user(owner, { name: 'Bob Stone' })
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit(`/records/people/${id}`, { token })
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.keyboard.type('Ask @')
  const people = page.getByRole('listbox', { name: 'Teammates' })
  await people.getByRole('option', { name: 'Bob Stone' }).waitFor()
  await page.keyboard.type('ann')
  await people.getByRole('option', { name: 'Bob Stone' }).waitFor({ state: 'detached' })
  await expectUsable(page)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/mention.png` })
  await page.keyboard.press('Enter')
  await page.keyboard.type('and @')
  await people.getByRole('option', { name: 'Bob Stone' }).click()
  await page.keyboard.type('or a@b.example')
  expect(await people.count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  const notes = part(page, 'Timeline')
  await notes.getByText('@Anna Berg', { exact: true }).waitFor()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/mentioned.png` })
  const { records } = await api.queryRecords({ object: 'notes', filter: 'body is not empty', limit: 1 })
  expect(records[0]!.body).toContain(`Ask [@Anna Berg](mention:${anna.user_id}) and [@Bob Stone](mention:`)
  expect(records[0]!.title).toBe('Ask @Anna Berg and @Bob Stone or a@b.example')
  await notes.getByRole('button', { name: /^Actions for the note/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editor = page.getByRole('textbox', { name: 'Note', exact: true })
  await editor.getByText('@Anna Berg').waitFor()
  await page.keyboard.type('! ')
  await page.keyboard.press('Control+Enter')
  await notes.getByText('a@b.example!').waitFor()
  expect((await api.getRecord({ object: 'notes', id: records[0]!.id })).body).toContain('[@Bob Stone](mention:')
})
