import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) })
const card = (page: Page, name: string) => page.getByRole('article', { name })
const cards = (page: Page, name: string) =>
  column(page, name)
    .getByRole('article')
    .evaluateAll((all) =>
      all
        .map((one) => ({ name: one.getAttribute('aria-label'), top: one.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top)
        .map(({ name }) => name),
    )
const dollars = (amount: number) => ({ amount: String(amount), currency: 'USD' })

async function board() {
  const made = await ada()
  const { records } = await made.api.createRecords({
    object: 'deals',
    records: [
      { name: 'Acme', stage: 'qualified', amount: dollars(1000) },
      { name: 'Borealis', stage: 'qualified', amount: dollars(2500) },
      { name: 'Cobalt', stage: 'proposal', amount: dollars(4000) },
      { name: 'Dune', stage: 'negotiation' },
    ],
  })
  const idOf = new Map(records.map(({ id, title }) => [title, id]))
  const stageOf = async (name: string) => (await made.api.getRecord({ object: 'deals', id: idOf.get(name)! })).stage
  return { ...made, stageOf }
}

test('cards are dragged between columns and within one, counts and sums follow, and Undo takes it back', async () => {
  const { token, stageOf } = await board()
  const page = await visit('/records/deals?type=board', { token })
  await column(page, 'Qualified').getByText('$3,500').waitFor()
  expect(await cards(page, 'Qualified')).toEqual(['Borealis', 'Acme'])
  await expectUsable(page)
  await card(page, 'Acme').dragTo(card(page, 'Cobalt'), { targetPosition: { x: 60, y: 4 } })
  await expect.poll(() => cards(page, 'Proposal')).toEqual(['Acme', 'Cobalt'])
  await expect.poll(() => stageOf('Acme')).toBe('proposal')
  await column(page, 'Proposal').getByText('$5,000').waitFor()
  await column(page, 'Qualified').getByText('$2,500').first().waitFor()
  await card(page, 'Acme').dragTo(column(page, 'Proposal'), { targetPosition: { x: 60, y: 500 } })
  await expect.poll(() => cards(page, 'Proposal')).toEqual(['Cobalt', 'Acme'])
  await page.reload()
  await card(page, 'Dune').waitFor()
  await expect.poll(() => cards(page, 'Proposal')).toEqual(['Cobalt', 'Acme'])
  await card(page, 'Borealis').dragTo(column(page, 'Negotiation'), { targetPosition: { x: 60, y: 400 } })
  await page.getByText('Borealis moved to Negotiation.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => cards(page, 'Qualified')).toEqual(['Borealis'])
  expect(await stageOf('Borealis')).toBe('qualified')
})

test('the keyboard walks through cards, moves them, opens them and creates new ones', async () => {
  const { token, api, stageOf } = await board()
  const page = await visit('/records/deals?type=board', { token })
  await card(page, 'Acme').waitFor()
  await card(page, 'Borealis').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Acme')
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => cards(page, 'Qualified')).toEqual(['Acme', 'Borealis'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Acme')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => stageOf('Acme')).toBe('proposal')
  await page.getByText('Acme moved to Proposal', { exact: true }).waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Acme')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Record' }).getByRole('heading', { name: 'Acme' }).waitFor()
  await page.getByRole('button', { name: 'New deal in Negotiation' }).click()
  await page.keyboard.type('Ember')
  await page.keyboard.press('Enter')
  await column(page, 'Negotiation').getByRole('article', { name: 'Ember' }).waitFor()
  const { records } = await api.queryRecords({ object: 'deals', filter: 'name = Ember' })
  expect(records[0]).toMatchObject({ stage: 'negotiation' })
})

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

test('on a phone, a card is moved by its menu', async () => {
  const { token, stageOf } = await board()
  const page = await visit('/records/deals?type=board', { token, viewport: phone })
  await card(page, 'Acme').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Actions for Acme' }).click()
  await page.getByRole('menuitem', { name: 'Negotiation' }).click()
  await expect.poll(() => stageOf('Acme')).toBe('negotiation')
  await card(page, 'Borealis').click()
  await page.waitForURL(/\/records\/deals\/[0-9a-f-]+$/)
})
