import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon, testWorker } from '../worker.ts'
import { createFound, focusedGroup, grace, group, nils, notice, stone, undo } from './duplicates-page.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

test('duplicates are merged one group after the other by keyboard, with values to choose, and merging is undone', async () => {
  const { token, api } = await ada()
  const [[kept, merged] = []] = await createFound(api, [grace, stone])
  const page = await visit('/duplicates/people', { token })
  await group(page, 'Grace Hopper').getByText('Same mailbox').waitFor()
  await expectUsableEverywhere(page)
  await page.keyboard.press('ArrowDown')
  expect(await focusedGroup(page)).toContain('Grace Hopper')
  await group(page, 'Grace Hopper').getByRole('radio', { name: 'City Bremen' }).check()
  await page.keyboard.press('Enter')
  await notice(page, '2 people merged into Grace Hopper.').waitFor()
  expect(await focusedGroup(page)).toContain('Jo Stone')
  expect(await group(page, 'Grace Hopper').count()).toBe(0)
  expect(await api.getRecord({ object: 'people', id: kept! })).toMatchObject({
    city: 'Bremen',
    job_title: 'Buyer',
    emails: ['grace.hopper@gmail.com', 'gracehopper+crm@gmail.com'],
  })
  await page.keyboard.press('n')
  await notice(page, '2 people marked as different.').waitFor()
  await page.getByText('No duplicates among your people').waitFor()
  await undo(page, 'merged into Grace Hopper').click()
  await group(page, 'Grace Hopper').waitFor()
  expect(await api.getRecord({ object: 'people', id: merged! })).toMatchObject({ id: merged, city: 'Bremen' })
})

test('on a phone, a record that is not part of a group stays, and all certain duplicates are merged in the background', async () => {
  const { token, api } = await ada()
  const [[, , other] = []] = await createFound(api, [nils, grace])
  const page = await visit('/duplicates/people', { token, viewport: phone, colorScheme: 'dark' })
  const card = group(page, 'Nils Lindqvist')
  await card.getByRole('checkbox', { name: 'Merge N. Lindqvist' }).uncheck()
  await card.getByText('Stays as it is').waitFor()
  await expectUsable(page)
  await card.getByRole('button', { name: 'Merge 2 people' }).click()
  await notice(page, 'merged into Nils Lindqvist').waitFor()
  await soon(async () => expect((await api.getDuplicates({ object: 'people' })).total).toBe(1))
  expect(await api.getRecord({ object: 'people', id: other! })).toMatchObject({ id: other })
  await page.getByRole('button', { name: 'Merge all certain (1)' }).click()
  await page.getByRole('dialog').getByText('2 people become 1.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge 1 group' }).click()
  await page.getByText('No duplicates among your people').waitFor()
  await soon(async () => expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 3 }))
})
