// The time from a click on People to rows on the screen, compared with an almost empty page; and from the address of
// a person to the fields on the page.
import type { Locator, Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { shownAfter, traced } from './web-trace.ts'

const rounds = 5
/** So that the server is warm. */
const warmUps = 3
const row = '[aria-rowindex="2"]'
const fields = 'section[aria-label="Fields"]'

/** Each round uses a browser with an empty cache. `again`: its second visit, with cached scripts. */
export async function timeRows(place: WebPlace) {
  const seen = { bare: [] as number[], fresh: [] as number[], again: [] as number[] }
  let path: string | null = null
  const record = { fresh: [] as number[], again: [] as number[] }
  for (let round = -warmUps; round < rounds; round++) {
    const [bare, page] = [await bareRows(place), await place.visitor(place.cookies)]
    const times = { bare: await timeClick(place, bare, bare.getByRole('button'), row), fresh: 0, again: 0 }
    for (const visit of ['fresh', 'again'] as const) {
      // The live stream keeps the network busy, so silence is no sign that the page is complete.
      await page.goto('/dashboard')
      await page.getByRole('link', { name: 'People', exact: true }).first().waitFor()
      await page.waitForTimeout(1000)
      times[visit] = await timeClick(place, page, page.getByRole('link', { name: 'People', exact: true }).first(), row)
      if (visit === 'again') continue
      path ??= await page.locator(row).locator('a[href^="/records/"]').first().getAttribute('href')
    }
    const visitor = await place.visitor(place.cookies)
    const onRecord = { fresh: await timeVisit(visitor, path!), again: await timeVisit(visitor, path!) }
    for (const one of [bare, page, visitor]) await one.context().close()
    if (round < 0) continue
    for (const key of ['bare', 'fresh', 'again'] as const) seen[key].push(times[key])
    for (const key of ['fresh', 'again'] as const) record[key].push(onRecord[key])
  }
  return { ...seen, record }
}

/** Milliseconds from the click to the first frame with text in what it leads to. */
async function timeClick({ browser }: WebPlace, page: Page, target: Locator, wanted: string) {
  await page.evaluate((wanted) => {
    const noteClick = ({ timeStamp }: Event) => performance.mark('click', { startTime: timeStamp })
    document.addEventListener('click', noteClick, { once: true, capture: true })
    const observer = new MutationObserver(() => {
      if (!document.querySelector(wanted)?.textContent) return
      performance.mark('shown')
      observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  }, wanted)
  const trace = await traced(browser, page, async () => {
    await target.click()
    await page.locator(wanted).waitFor()
    await page.waitForTimeout(300)
  })
  return shownAfter(trace, 'shown') - trace.at('click')
}

/** Milliseconds from opening an address to text in the fields of the record. */
async function timeVisit(page: Page, path: string) {
  await page.addInitScript((fields) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(fields)?.textContent) return
      performance.mark('fields')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, fields)
  await page.goto(path)
  await page.locator(fields).waitFor()
  const shown = await page.evaluate(() => performance.getEntriesByName('fields')[0]!.startTime)
  await page.waitForTimeout(1000)
  return shown
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
