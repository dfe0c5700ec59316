import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { card, column, testBoard } from './board-page.ts'
import { goTo } from './navigate.ts'

const { visit, board } = await testBoard()

const cards = (page: Page, name: string) =>
  column(page, name)
    .getByRole('article')
    .evaluateAll((all) =>
      all
        .map((one) => ({ name: one.getAttribute('aria-label'), top: one.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top)
        .map(({ name }) => name),
    )

test('cards are dragged between columns and within one, counts and sums follow, and Undo takes it back', async () => {
  const { token, api, stageOf, idOf } = await board()
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

  // Two moves at once, each with its place.
  const saved = Promise.withResolvers<void>()
  const placed: string[] = []
  page.on('request', (request) => request.url().endsWith('/place') && placed.push(request.url()))
  await page.route(/\/app\/api\/records\/deals$/, async (route) => {
    if (route.request().method() === 'PATCH') await saved.promise
    await route.continue()
  })
  const dragToDune = (name: string) => card(page, name).dragTo(card(page, 'Dune'), { targetPosition: { x: 60, y: 4 } })
  await dragToDune('Cobalt')
  // The cards have moved, so that the next one is picked up where it is.
  await expect.poll(() => cards(page, 'Negotiation')).toEqual(['Cobalt', 'Dune'])
  // What others change meanwhile is shown once both are saved, and takes neither back.
  await api.updateRecords({ object: 'deals', records: [{ id: idOf('Borealis'), values: { name: 'Borealis II' } }] })
  await dragToDune('Acme')
  saved.resolve()
  await expect.poll(() => stageOf('Acme')).toBe('negotiation')
  await expect.poll(() => placed.length).toBe(2)
  expect(await stageOf('Cobalt')).toBe('negotiation')
  await card(page, 'Borealis II').waitFor()
  await page.unroute(/\/app\/api\/records\/deals$/)
})

test('the keyboard walks through cards, moves them, opens them and creates new ones; on a phone a card has a menu', async () => {
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

  await goTo(page, '/records/deals?type=board')
  await page.getByRole('complementary', { name: 'Record' }).waitFor({ state: 'detached' })
  await page.setViewportSize(phone)
  await card(page, 'Borealis').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Actions for Borealis' }).click()
  await page.getByRole('menuitem', { name: 'Negotiation' }).click()
  await expect.poll(() => stageOf('Borealis')).toBe('negotiation')
  await card(page, 'Dune').click()
  await page.waitForURL(/\/records\/deals\/[0-9a-f-]+$/)
})
