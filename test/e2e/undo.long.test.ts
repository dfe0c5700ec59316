// Covers: web/records
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'
import { create, dialog, heading, read } from './record-page.ts'
import { isKnown } from './undo-page.ts'

const { ada, visit } = await testWeb()

test('Ctrl+Z right after a change undoes this one, however slow the network is', async () => {
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ score: 1 }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 000').waitFor()
  const score = await place(page, 'Score')
  const type = async (text: string) => {
    await cell(page, 'Person 000', score).click()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await type('7')
  await isKnown(page, 'Score of Person 000')
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>()
  await page.route('**/app/api/records/people', async (route) => {
    await pressed
    await route.continue()
  })
  const sent = page.waitForRequest('**/app/api/records/people')
  await type('8')
  await sent
  await page.keyboard.press('Control+z')
  press()
  await page.getByText('Undone: Score of Person 000 changed.').waitFor()
  expect((await read(api, 'people', person!.id)).score).toBe(7)
})

test('what was undone on its notice is not undone again by Ctrl+Z', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Ada' })
  const page = await visit('/dashboard', { token })
  await heading(page, 'Dashboard').waitFor()
  for (const name of ['Grace', 'Linus']) {
    await page.keyboard.press('c')
    await dialog(page).getByRole('textbox', { name: 'First name' }).fill(name)
    await page.keyboard.press('Control+Enter')
    await page.getByText(`${name} created.`).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
  }
  const notice = page.getByRole('alert').filter({ hasText: 'Linus created.' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await api.countRecords({ object: 'people' })).count).toBe(2)
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Grace created.').waitFor()
  const { records } = await api.queryRecords({ object: 'people' })
  expect(records.map(({ title }) => title)).toEqual(['Ada'])
})
