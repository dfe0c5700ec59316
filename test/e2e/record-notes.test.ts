import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { create, heading, part, undo } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('a note that is too deep, too long or too complex to format is shown as plain text, and the page still works', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const hostile = ['> '.repeat(1500), '>'.repeat(20_000), '*a '.repeat(15_000), '*a '.repeat(6000), '+ '.repeat(5000)]
  for (const text of ['**fine**', ...hostile]) await create(api, 'notes', { body: `${text}x`, about: [id] })
  const page = await visit(`/records/people/${id}`, { token })
  const notes = part(page, 'Timeline')
  await notes.locator('strong', { hasText: 'fine' }).waitFor()
  expect(await notes.getByText('Shown as plain text').count()).toBe(hostile.length)
  const start = Date.now()
  await page.getByRole('button', { name: 'Changes' }).click()
  await notes.getByText('Shown as plain text').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await notes.getByText('Shown as plain text').nth(2).waitFor()
  expect(Date.now() - start).toBeLessThan(3000)

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

test('notes are rich text stored as Markdown, and markup in them is shown as text', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  await create(api, 'notes', {
    body: 'From **outside** <img src=x onerror=alert(1)>\n\n| a | b |\n|---|---|\n\n[bad](javascript:alert(1))',
    about: [id],
  })
  const page = await visit(`/records/people/${id}`, { token })
  const notes = part(page, 'Timeline')
  await notes.locator('strong', { hasText: 'outside' }).waitFor()
  expect(await notes.textContent()).toContain('<img src=x onerror=alert(1)>')
  expect(await notes.textContent(), 'what the editor does not know is not lost').toContain('| a | b |')
  expect(await notes.locator('img, a').count()).toBe(0)

  await page.getByRole('button', { name: 'Write a note' }).click()
  const editor = page.getByRole('textbox', { name: 'New note' })
  await editor.waitFor()
  await editor.pressSequentially('Call **soon**')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- first')
  await page.keyboard.press('Enter')
  await page.keyboard.type('second')
  await page.reload()
  await page.getByRole('textbox', { name: 'New note' }).getByText('second').waitFor()
  await page.getByRole('textbox', { name: 'New note' }).click()
  await expectUsable(page)
  await page.keyboard.press('Control+Enter')
  await notes.getByRole('listitem').filter({ hasText: 'first' }).first().waitFor()
  const about = { object: 'notes', filter: `about has any ("${id}")` }
  const bodies = async () => (await api.queryRecords(about)).records.map(({ body }) => body)
  expect((await bodies())[0]).toBe('Call **soon**\n\n- first\n- second')

  const actions = notes.getByRole('button', { name: /^Actions for the note .Call/ })
  const own = notes.getByRole('listitem').filter({ has: page.getByText('soon') })
  await own.first().hover()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const again = page.getByRole('textbox', { name: 'Note', exact: true })
  await again.getByText('second').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and third')
  await page.getByRole('button', { name: 'Changes' }).click()
  await again.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await again.getByText('second and third').click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await bodies())[0]).toContain('second and third')

  await own.first().hover()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.poll(async () => (await bodies()).length).toBe(1)
  await page.getByText('Note moved to the trash').waitFor()
  await undo(page).click()
  await expect.poll(async () => (await bodies()).length).toBe(2)
})
