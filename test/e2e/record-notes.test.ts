import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { create, part, undo } from './record-page.ts'

const { ada, visit } = await testWeb()

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

test('what is typed before the editor has come is part of the note', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit('/records/people', { token })
  const arrival = Promise.withResolvers<void>()
  await page.route(/rich-editor.*\.js$/, async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto(`/records/people/${id}`)
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.keyboard.type('Call ')
  await expectUsable(page)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/editor-coming.png` })
  arrival.resolve()
  await page.getByRole('button', { name: 'Bold' }).waitFor()
  await page.keyboard.type('**back** today')
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/editor-there.png` })
  await page.keyboard.press('Control+Enter')
  await part(page, 'Timeline').locator('strong', { hasText: 'back' }).waitFor()
  const { records } = await api.queryRecords({ object: 'notes', filter: `about has any ("${id}")` })
  expect(records[0]!.body).toBe('Call **back** today')
})
