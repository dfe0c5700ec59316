// Conversations by channels where people have handles: who they are, and what one sees of them.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ChannelRow } from '../../server/inbox/channel.ts'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { inboxFor } from '../inbox.ts'
import { soon, testWorker } from '../worker.ts'
import { heading, message, notice, row } from './inbox-page.ts'

const { kith, at } = await testWeb()
await testWorker(kith)
const inbox = inboxFor(kith)

/** An API channel in which Ann has written, who is known by a handle only. */
async function shop(options: Parameters<typeof at>[1] = {}) {
  const made = await at('/inbox', options)
  const { channel } = await made.api.connectApiChannel({ name: 'Shop chat' })
  const { id, name, address } = channel
  const place: ChannelRow = {
    ...{
      company_id: made.owner.company_id,
      id,
      kind: 'api',
      name,
      address,
      owner_id: null,
      settings: {},
      secrets: null,
    },
  }
  const writes = (text: string, more: object = {}) =>
    inbox.arrives(place, { from: { address: 'ann_77', name: null }, thread: 'c-1', subject: '', text, ...more })
  return { ...made, writes }
}

/** Whether the newest message is inside of the view. */
const seesNewest = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('[data-thread-scroller]')!
    const newest = [...box.querySelectorAll('article')].at(-1)!
    return newest.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom
  })

test('a sender who is linked to a person is shown and written to by name', async () => {
  const { page, api, writes } = await shop()
  const photo = { name: 'photo.jpg', type: 'image/jpeg', content: Buffer.from('x'), contentId: null, isInline: false }
  await writes('', { files: [photo] })
  await api.createRecords({ object: 'people', records: [{ first_name: 'Ann', last_name: 'Becker' }] } as never)
  await row(page, 'photo.jpg').click()
  await heading(page, 'ann_77').waitFor()
  await page.getByText('Not in Kith yet.').waitFor()
  expect(await page.getByText('nobody').count()).toBe(0)
  await page.getByRole('button', { name: 'Link to a person' }).click()
  await page.getByPlaceholder('Search records').fill('Becker')
  await page.getByRole('option', { name: /Ann Becker/ }).click()
  await heading(page, 'Ann Becker').waitFor()
  await page.getByRole('region', { name: 'Person' }).getByText('Ann Becker').waitFor()
  expect(await page.getByText('Not in Kith yet.').count()).toBe(0)
  await expectUsableEverywhere(page)

  await page.goto('/inbox/new')
  await page.getByRole('combobox', { name: 'To' }).pressSequentially('Becker')
  await page.getByRole('option', { name: /Ann Becker/ }).click()
  await message(page).fill('Here it is.')
  await expectUsable(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await heading(page, 'Ann Becker').waitFor()
  await soon(async () => {
    const { items } = await api.listConversations({})
    expect(items.map(({ message_count }) => message_count)).toEqual([2])
  })
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
