import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'
import { create, dialog, edit, heading, read } from './record-page.ts'

const { ada, visit } = await testWeb()

/** The page has heard that it was saved. */
const isKnown = (page: Page, said: string) =>
  expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(said)

test('Ctrl+Z undoes the changes of a session step by step and says what it undid, long after the notice', async () => {
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ score: 1 }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 000').waitFor()
  const score = await place(page, 'Score')
  await cell(page, 'Person 000', score).click()
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  const saved = () => read(api, 'people', person!.id)
  await expect.poll(async () => (await saved()).score).toBe(7)
  await isKnown(page, 'Score of Person 000')
  expect(await page.getByRole('alert').count(), 'no notice for a single cell').toBe(0)

  await page.goto(`/records/people/${person!.id}`)
  await heading(page, 'Person 000').waitFor()
  await edit(page, 'Job title').click()
  await page.getByRole('textbox', { name: 'Job title' }).fill('Admiral')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await saved()).job_title).toBe('Admiral')
  await isKnown(page, 'Job title of Person 000')

  // Another page, and a reload.
  await page.goto('/dashboard')
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Job title of Person 000 changed.').waitFor()
  expect(await saved()).toMatchObject({ score: 7 })
  expect((await saved()).job_title ?? null).toBe(null)
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Score of Person 000 changed.').waitFor()
  expect((await saved()).score).toBe(1)
  await page.keyboard.press('Control+z')
  await page.getByText('Nothing to undo').waitFor()
})

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
