// Types a filter letter by letter, and continues without a pause while the matches load.
import { existsSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { longestTask, traced } from './web-trace.ts'

const filter = 'status = active and city ~ Lei and score > 50 or last_name = Quillfeather'
const goingOn = ' and consent = true and visits > 1000'
const rounds = 5
const mostDisturbed = 30
const mostLentMs = 10
const keyMs = 60

type Watched = { slowestKey(): number }

type Round = Awaited<ReturnType<typeof typeIn>> & { bare: Awaited<ReturnType<typeof typeIn>> }

/**
 * Tasks are measured by wall-clock time. On a virtual machine whose CPU time is stolen, a pause can be longer than the
 * limit, so rounds with stolen CPU time are repeated, whatever their result.
 */
export async function timeTyping(place: WebPlace) {
  const [quiet, disturbed]: [Round[], Round[]] = [[], []]
  // The first run only warms up the server.
  await typeIn(place, await ourPage(place))
  while (quiet.length < rounds && disturbed.length < mostDisturbed) {
    const bare = await typeIn(place, await bareField(place))
    const before = lentMs()
    const ours = await typeIn(place, await ourPage(place))
    const isQuiet = lentMs() - before <= mostLentMs
    ;(isQuiet ? quiet : disturbed).push({ ...ours, bare })
  }
  return { quiet, disturbed }
}

/** CPU time stolen from this machine since it started. Linux counts it in hundredths of a second. */
function lentMs() {
  const [all] = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8').split('\n') : []
  return Number(all?.split(/\s+/)[8] ?? 0) * 10
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

async function typeIn({ browser }: WebPlace, page: Page) {
  await page.waitForTimeout(1500)
  await watchKeys(page)
  const trace = await traced(browser, page, async () => {
    await page.keyboard.type(filter, { delay: keyMs })
    await page.keyboard.press('Enter', { delay: keyMs })
    await page.keyboard.type(goingOn, { delay: keyMs })
  })
  const slowestKey = await page.evaluate(() => (window as unknown as Watched).slowestKey())
  const filtered = new URL(page.url()).searchParams.get('filter')
  await page.context().close()
  if (filtered !== filter) throw new Error(`it filtered by ${filtered}`)
  const [typing, after] = [longestTask(trace, 'bench-from', 'enter'), longestTask(trace, 'enter', 'bench-to')]
  return { typing, goingOn: after, slowestKey }
}

/** Marks Enter, and measures how long the slowest key took to reach the screen, as reported by the browser. */
function watchKeys(page: Page) {
  return page.evaluate(() => {
    const noteEnter = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Enter') performance.mark('enter', { startTime: timeStamp })
    }
    document.addEventListener('keydown', noteEnter, true)
    let slowest = 0
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (/^(key|beforeinput|input)/.test(name)) slowest = Math.max(slowest, duration)
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(window, { slowestKey: () => slowest })
  })
}
