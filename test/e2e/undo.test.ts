import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'
import { goTo } from './navigate.ts'
import { edit, heading, read } from './record-page.ts'
import { isKnown } from './undo-page.ts'

const { ada, visit } = await testWeb()

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

  await goTo(page, `/records/people/${person!.id}`)
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
