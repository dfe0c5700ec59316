// Types a filter letter by letter, and continues without a pause while the matches load.
import type { Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'

const filter = 'status = active and city ~ Lei and score > 50 or last_name = Quillfeather'
const goingOn = ' and consent = true and visits > 1000'
const rounds = 5
const keyMs = 60

type Watched = { keyTimes(): number[] }

/** How long each key took to reach the screen, in ms, in all rounds together. */
export async function timeTyping(place: WebPlace) {
  // The first run only warms up the server.
  await typeIn(await ourPage(place))
  const seen = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    seen.bare.push(...(await typeIn(await bareField(place))))
    seen.ours.push(...(await typeIn(await ourPage(place))))
  }
  return seen
}

async function ourPage({ visitor, cookies }: WebPlace) {
  const page = await visitor(cookies)
  await page.goto('/records/people')
  await page.locator('[aria-rowindex="3"]').waitFor()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter', exact: true }).waitFor()
  return page
}

/** A plain field and a table with as many cells, which Enter requests and renders. */
async function bareField({ barePage }: WebPlace) {
  const page = await barePage('<input><table></table>')
  await page.evaluate(() => {
    const [field, table] = [document.querySelector('input')!, document.querySelector('table')!]
    const show = async (filter: string) => {
      const answer = await fetch(`/app/api/records/people?${new URLSearchParams({ limit: '100', filter })}`)
      const { records } = (await answer.json()) as { records: Record<string, unknown>[] }
      history.pushState(null, '', `?${new URLSearchParams({ filter })}`)
      table.replaceChildren()
      for (const record of records.slice(0, 20)) {
        const line = table.insertRow()
        for (const value of Object.values(record).slice(0, 12)) line.insertCell().textContent = String(value)
      }
    }
    field.addEventListener('keydown', ({ key }) => key === 'Enter' && void show(field.value))
    field.focus()
    return show('')
  })
  return page
}

async function typeIn(page: Page) {
  await page.waitForTimeout(1500)
  await watchKeys(page)
  await page.keyboard.type(filter, { delay: keyMs })
  await page.keyboard.press('Enter', { delay: keyMs })
  await page.keyboard.type(goingOn, { delay: keyMs })
  const times = await page.evaluate(() => (window as unknown as Watched).keyTimes())
  const filtered = new URL(page.url()).searchParams.get('filter')
  await page.context().close()
  if (filtered !== filter) throw new Error(`it filtered by ${filtered}`)
  const unreported = filter.length + 1 + goingOn.length - times.length
  return [...times, ...Array<number>(Math.max(0, unreported)).fill(0)]
}

/** The browser reports how long a key took until the next paint, unless that was under 16 ms. */
function watchKeys(page: Page) {
  return page.evaluate(() => {
    const times = new Map<number, number>()
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId && entry.name.startsWith('key'))
          times.set(entry.interactionId, Math.max(times.get(entry.interactionId) ?? 0, entry.duration))
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(window, { keyTimes: () => [...times.values()] })
  })
}
