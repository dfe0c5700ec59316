// A filter typed letter by letter, and on without a pause while its matches come.
import type { Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { longestTask, traced } from './web-trace.ts'

const filter = 'status = active and city ~ Lei and score > 50 or last_name = Quillfeather'
const goingOn = ' and consent = true and visits > 1000'
const rounds = 5
const keyMs = 60

type Watched = { slowestKey(): number }

export async function timeTyping(place: WebPlace) {
  const seen: Awaited<ReturnType<typeof typeOnce>>[] = []
  for (let round = 0; round < rounds; round++) seen.push(await typeOnce(place))
  return seen
}

async function typeOnce({ browser, visitor, cookies }: WebPlace) {
  const page = await visitor(cookies)
  await page.goto('/records/people')
  await page.locator('[aria-rowindex="3"]').waitFor()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter', exact: true }).waitFor()
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

/** Marks Enter, and notes how long the slowest key took to the screen, as the browser itself measures it. */
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
