// Covers: web/screens/list
import { expect, test } from 'vitest'
import { card, column, testBoard } from './board-page.ts'

const { visit, board } = await testBoard()

test('a board can be by another field, collapsed, sorted and saved as a view, and is live', async () => {
  const { token, api, owner } = await board()
  await api.createRecords({ object: 'deals', records: [{ name: 'Mine', owner: owner.user_id }] })
  const page = await visit('/records/deals', { token })
  await page.getByRole('button', { name: 'Show as: Table' }).click()
  await page.getByRole('menuitem', { name: 'Owner', exact: true }).click()
  await column(page, 'Ada Lovelace').getByRole('article', { name: 'Mine' }).waitFor()
  await page.getByRole('button', { name: 'Show as: Board by owner' }).click()
  await page.getByRole('menuitem', { name: 'Stage', exact: true }).click()
  await page.getByRole('button', { name: 'Collapse Lost' }).click()
  await page.getByRole('button', { name: 'Expand Lost' }).waitFor()
  await page.getByRole('button', { name: 'Save as view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Team board')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect
    .poll(async () => (await api.listViews({ object: 'deals' })).items)
    .toMatchObject([{ name: 'Team board', type: 'board', group_by: { field: 'stage' }, collapsed: ['lost'] }])
  await api.createRecords({ object: 'deals', records: [{ name: 'From elsewhere', stage: 'proposal' }] })
  await column(page, 'Proposal').getByRole('article', { name: 'From elsewhere' }).waitFor()
  await page.getByRole('searchbox').fill('dune')
  await card(page, 'Acme').waitFor({ state: 'detached' })
  await card(page, 'Dune').waitFor()
})

test('columns show the names of the usual stages and what their deals are worth, with the currency', async () => {
  const { token, api } = await board()
  await api.updateCompany({ language: 'de-DE', currency: 'EUR' })
  const amount = { amount: '5174720', currency: 'EUR' }
  await api.createRecords({ object: 'deals', records: [{ name: 'Large', stage: 'negotiation', amount }] })
  const page = await visit('/records/deals', { token })
  await page.getByRole('button', { name: 'Show as: Table' }).click()
  await page.getByRole('menuitem', { name: 'Stage', exact: true }).click()
  await column(page, 'Negotiation')
    .getByText(/5\.174\.720\s€/)
    .first()
    .waitFor()
  const cut = await page.locator('section header').evaluateAll((heads) =>
    heads
      .flatMap((head) => [...head.querySelectorAll('h2, span, button')])
      .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.textContent),
  )
  expect(cut).toEqual([])
})
