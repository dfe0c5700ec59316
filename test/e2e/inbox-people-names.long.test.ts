// Covers: web/screens/inbox web/conversations
// Conversations by channels where people have handles: who they are, and what one sees of them.
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { soon } from '../worker.ts'
import { heading, message, row } from './inbox-page.ts'
import { testInboxPeople } from './inbox-people-page.ts'

const { shop } = await testInboxPeople()

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
