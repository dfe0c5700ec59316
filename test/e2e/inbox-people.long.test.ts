// Covers: web/screens/inbox web/conversations
// Conversations by channels where people have handles: who they are, and what one sees of them.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { soon } from '../worker.ts'
import { message, notice, row } from './inbox-page.ts'
import { testInboxPeople } from './inbox-people-page.ts'

const { kith, at, shop } = await testInboxPeople()

/** Whether the newest message is inside of the view. */
const seesNewest = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('[data-thread-scroller]')!
    const newest = [...box.querySelectorAll('article')].at(-1)!
    return newest.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom
  })

test('a person with a number is written to from their page', async () => {
  const { page, api, owner } = await at('/inbox')
  const { channel } = await api.connectApiChannel({ name: 'Numbers' })
  const person = { first_name: 'Ann', last_name: 'Becker', phones: ['+442079460000'] }
  const { records } = await api.createRecords({ object: 'people', records: [person] } as never)
  await page.goto(`/records/people/${records[0]!.id}`)
  await page.getByRole('link', { name: 'Call Ann Becker' }).waitFor()
  expect(await page.getByRole('link', { name: 'Message Ann Becker' }).count()).toBe(0)
  const number = { kind: 'sms', address: '+442079461111', state: 'synced' } as const
  await kith.db
    .updateTable('channels')
    .set(number)
    .where('company_id', '=', owner.company_id)
    .where('id', '=', channel.id)
    .execute()
  await page.reload()
  await page.getByRole('link', { name: 'Message Ann Becker' }).click()
  await page.getByRole('heading', { name: 'New message' }).waitFor()
  await page.getByText('+442079461111').waitFor()
  await page.getByText('+442079460000').waitFor()
  expect(await page.getByRole('textbox', { name: 'Subject' }).count()).toBe(0)
})

test('what one writes and what arrives comes into view, and the notice ends with the time to take it back', async () => {
  const { page, writes } = await shop({ isAlone: true })
  await page.clock.install()
  for (let count = 1; count <= 14; count++) await writes(`Question ${count}\n\nWith\n\nsome\n\nlines`)
  await row(page, 'Question 14').click()
  await page.getByRole('article').getByText('Question 14').waitFor()
  await soon(async () => expect(await seesNewest(page)).toBe(true))
  await writes('One more\n\nWith\n\nsome\n\nlines')
  await page.getByRole('article').getByText('One more').waitFor()
  await soon(async () => expect(await seesNewest(page)).toBe(true))
  await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
  await message(page).fill('My answer')
  await page.locator('[data-thread-scroller]').evaluate((box) => box.scrollTo({ top: 0 }))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('article').getByText('My answer').waitFor()
  await soon(async () => expect(await seesNewest(page)).toBe(true))
  await notice(page, 'Sending…').hover()
  await page.clock.fastForward(20_000)
  await notice(page, 'Sending…').waitFor({ state: 'detached' })
})
