// A board of 20,000 deals: the time from a click on Deals to the first cards, and from a key that moves a card to the
// card in its other column.
import type { Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { shownAfter, traced } from './web-trace.ts'

const deals = 20_000
const rounds = 5
const warmUps = 2

export async function timeBoard(place: WebPlace) {
  const seen = { cards: [] as number[], moves: [] as number[] }
  const page = await place.visitor(place.cookies)
  await page.goto('/records/deals?type=board')
  await page.getByRole('heading', { name: 'Deals' }).waitFor()
  await page.evaluate(createDeals, deals)
  for (let round = -warmUps; round < rounds; round++) {
    // The list looks as it did last: a board.
    await page.goto('/my-tasks')
    await page.getByRole('link', { name: 'Deals', exact: true }).first().waitFor()
    await page.waitForTimeout(1000)
    const cards = await timeUntil(place, page, '[data-card]', 'click', () =>
      page.getByRole('link', { name: 'Deals', exact: true }).first().click(),
    )
    const moves = await timeMove(place, page)
    if (round < 0) continue
    seen.cards.push(cards)
    seen.moves.push(moves)
  }
  await page.context().close()
  return { ...seen, deals }
}

/** Shift and the arrow to the right move the first card of the first column that has one. */
async function timeMove(place: WebPlace, page: Page) {
  const card = page.locator('section [data-card]').first()
  await card.waitFor()
  await page.waitForTimeout(500)
  const id = (await card.getAttribute('data-card'))!
  const column = await card.evaluate((element) => {
    const section = element.closest('section')!
    return [...section.parentElement!.children].indexOf(section) + 1
  })
  await card.focus()
  return timeUntil(place, page, `section:nth-child(${column + 1}) [data-card="${id}"]`, 'keydown', () =>
    page.keyboard.press('Shift+ArrowRight'),
  )
}

/** Milliseconds from the event to the first frame with such an element. */
async function timeUntil(
  { browser }: WebPlace,
  page: Page,
  wanted: string,
  event: string,
  act: () => Promise<unknown>,
) {
  await page.evaluate(
    ({ wanted, event }) => {
      const note = ({ timeStamp }: Event) => performance.mark('begun', { startTime: timeStamp })
      document.addEventListener(event, note, { once: true, capture: true })
      const observer = new MutationObserver(() => {
        if (!document.querySelector(wanted)) return
        performance.mark('shown')
        observer.disconnect()
      })
      observer.observe(document.body, { childList: true, subtree: true })
    },
    { wanted, event },
  )
  const trace = await traced(browser, page, async () => {
    await act()
    await page.locator(wanted).first().waitFor()
    await page.waitForTimeout(300)
  })
  return shownAfter(trace, 'shown') - trace.at('begun')
}

/** Runs in the page. */
async function createDeals(count: number) {
  const stages = ['qualified', 'proposal', 'negotiation', 'won']
  for (let from = 0; from < count; from += 400) {
    const calls = [0, 100, 200, 300].map(async (start) => {
      const records = Array.from({ length: 100 }, (_, i) => ({
        name: `Deal ${from + start + i}`,
        stage: stages[(from + start + i) % stages.length],
        amount: { amount: String(1000 + i), currency: 'EUR' },
      }))
      const body = JSON.stringify({ records })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/app/api/records/deals', { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`creating deals failed: ${answer.status}`)
    })
    await Promise.all(calls)
  }
}
