// Covers: web/screens/record web/history
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, heading, part, read, undo } from './record-page.ts'

const { kith, ada, visit } = await testWeb()

test('a change of many records can be undone for this record alone', async () => {
  const { token, api } = await ada()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Grace' }, { first_name: 'Linus' }],
  })
  const [grace, linus] = records.map(({ id }) => id)
  await api.updateRecords({
    object: 'people',
    records: [grace!, linus!].map((id) => ({ id, values: { city: 'Paris' } })),
  })
  const page = await visit(`/records/people/${grace}`, { token })
  const change = part(page, 'Timeline').getByRole('listitem').filter({ hasText: 'changed 1 field' })
  await change.getByText('Paris').waitFor()
  await change.hover()
  await change.getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('menuitem', { name: 'For this record only' }).click()
  await expect.poll(async () => (await read(api, 'people', grace!)).city ?? null).toBe(null)
  expect((await read(api, 'people', linus!)).city).toBe('Paris')
})

test('everyone who can read a record sees who changed it, and can undo their own changes', async () => {
  const { api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const mia = await kith.given.user(owner, { name: 'Mia Member' })
  const token = await kith.given.session(mia)
  await kith.withSession(token).updateRecords({ object: 'people', records: [{ id, values: { city: 'Oslo' } }] })
  // An address of version 0.2.
  const page = await visit(`/records/people/${id}?tab=history`, { token })
  const entry = (text: string) => part(page, 'Timeline').getByRole('listitem').filter({ hasText: text })
  await entry('Mia').getByText('Oslo').waitFor()
  expect(await entry('Ada').getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  await entry('Mia').hover()
  await entry('Mia').getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(async () => (await read(api, 'people', id)).city ?? null).toBe(null)
})

test('on a phone a call is logged in one line, and "Do not contact" stands at the top', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace', do_not_contact: true })
  const page = await visit(`/records/people/${id}`, { token, viewport: phone, hasTouch: true })
  await page.getByRole('note').getByText('Do not contact Grace').waitFor()
  await page.getByRole('tab', { name: 'Related' }).tap()
  await page.getByRole('button', { name: 'Add', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Log call' }).tap()
  await page.keyboard.type('Sorry, wrong number')
  await page.keyboard.press('Enter')
  await part(page, 'Timeline').getByText('Sorry, wrong number').waitFor()
  await expectUsable(page)
})

test('the header of a deal moves it through its stages, renames it and leads to its neighbours in the list and back to it', async () => {
  const { token, api } = await ada()
  const people = [
    await create(api, 'people', { first_name: 'Nina' }),
    await create(api, 'people', { first_name: 'Tom' }),
  ]
  const first = await create(api, 'deals', { name: 'Pilot', people: people.map(({ id }) => id) })
  await create(api, 'deals', { name: 'Other' })
  await create(api, 'deals', { name: 'Renewal' })
  const page = await visit('/records/deals', { token })
  await page.getByRole('grid').getByRole('link', { name: 'Other' }).waitFor()
  await page.goto('/records/deals?filter=name%20!%3D%20Other&q=e')
  await page.getByRole('searchbox').fill('')
  await page.getByRole('grid').getByRole('link', { name: 'Pilot' }).click()
  await page.getByRole('link', { name: 'Open as a page' }).click()
  await heading(page, 'Pilot').waitFor()
  const stages = page.getByRole('group', { name: 'Stage' })
  await stages.getByRole('button', { name: 'Proposal' }).click()
  await expect.poll(async () => (await read(api, 'deals', first.id)).stage).toBe('proposal')
  expect(await stages.getByRole('button', { name: 'Proposal' }).getAttribute('aria-pressed')).toBe('true')
  await part(page, 'Timeline').getByRole('button', { name: 'moved to Proposal' }).waitFor()
  await stages.getByRole('button', { name: 'Negotiation' }).click()
  await page.getByText('Pilot moved to Negotiation.').waitFor()
  await page.getByText('Pilot moved to Proposal.').waitFor({ state: 'detached' })
  await undo(page).click()
  await expect.poll(async () => (await read(api, 'deals', first.id)).stage).toBe('proposal')
  await part(page, 'Timeline').getByText('undid “moved to Negotiation”').waitFor()
  // Nothing is there twice.
  expect(await page.getByRole('button', { name: 'Edit Amount' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('button', { name: 'Without Nina' }).click()
  await page.keyboard.type('Voicemail')
  await page.keyboard.press('Enter')
  await part(page, 'Timeline').getByText('Voicemail').waitFor()
  const { records } = await api.queryRecords({ object: 'activities' })
  expect(records[0]!.people).toMatchObject([{ title: 'Tom' }])
  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByRole('button', { name: 'Edit Name', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Pilot 2')
  await page.keyboard.press('Enter')
  await heading(page, 'Pilot 2').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Previous record' }).click()
  await heading(page, 'Renewal').waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await heading(page, 'Pilot 2').waitFor()
  await page.reload()
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Deals' }).click()
  await page.getByRole('grid').getByRole('link', { name: 'Renewal' }).waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe('name != Other')
  expect(await page.getByRole('grid').getByRole('link', { name: 'Other' }).count()).toBe(0)
})
