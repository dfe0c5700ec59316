// The time from a click on People to rows on the screen, compared with an almost empty page.
import type { Locator, Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { shownAfter, traced } from './web-trace.ts'

const rounds = 5
/** So that the server is warm. */
const warmUps = 3
const row = '[aria-rowindex="2"]'

/** Each round uses a browser with an empty cache. `again`: its second visit, with cached scripts. */
export async function timeRows(place: WebPlace) {
  const seen = { bare: [] as number[], fresh: [] as number[], again: [] as number[] }
  for (let round = -warmUps; round < rounds; round++) {
    const [bare, page] = [await bareRows(place), await place.visitor(place.cookies)]
    const times = { bare: await timeClick(place, bare, bare.getByRole('button')), fresh: 0, again: 0 }
    for (const visit of ['fresh', 'again'] as const) {
      // The live stream keeps the network busy, so silence is no sign that the page is complete.
      await page.goto('/dashboard')
      await page.getByRole('link', { name: 'People', exact: true }).first().waitFor()
      await page.waitForTimeout(1000)
      times[visit] = await timeClick(place, page, page.getByRole('link', { name: 'People', exact: true }).first())
    }
    for (const one of [bare, page]) await one.context().close()
    if (round < 0) continue
    for (const key of ['bare', 'fresh', 'again'] as const) seen[key].push(times[key])
  }
  return seen
}

/** Milliseconds from the click to the first frame with a row. */
async function timeClick({ browser }: WebPlace, page: Page, target: Locator) {
  await page.evaluate((row) => {
    const noteClick = ({ timeStamp }: Event) => performance.mark('click', { startTime: timeStamp })
    document.addEventListener('click', noteClick, { once: true, capture: true })
    const observer = new MutationObserver(() => {
      if (!document.querySelector(row)?.textContent) return
      performance.mark('rows')
      observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  }, row)
  const trace = await traced(browser, page, async () => {
    await target.click()
    await page.locator(row).waitFor()
    await page.waitForTimeout(300)
  })
  return shownAfter(trace, 'rows') - trace.at('click')
}

/** The same request and as many cells, without the app. */
async function bareRows({ barePage }: WebPlace) {
  const page = await barePage('<button>Records</button>')
  await page.evaluate(() => {
    const keys = [
      'title',
      'emails',
      'phones',
      'job_title',
      'status',
      'score',
      'city',
      'country',
      'linkedin',
      'birthday',
    ]
    const show = async () => {
      const answer = await fetch('/app/api/records/people?limit=100')
      const { records } = (await answer.json()) as { records: Record<string, unknown>[] }
      const table = document.createElement('table')
      for (const [index, record] of records.entries()) {
        const line = table.insertRow()
        line.ariaRowIndex = String(index + 2)
        for (const key of [...keys, 'owner', 'created_at']) line.insertCell().textContent = String(record[key] ?? '')
      }
      document.body.append(table)
    }
    document.querySelector('button')!.addEventListener('click', show)
  })
  return page
}
