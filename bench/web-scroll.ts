// Scrolls steadily through a list that loads as it scrolls, and inspects every frame.
import type { Page } from 'playwright-core'
import type { WebPlace } from './web-place.ts'
import { type Trace, traced } from './web-trace.ts'

const rows = 5000
const seconds = 20
const mostSeconds = 40
const stepMs = 16

type Seen = { rows: number; frames: number; blankFrames: number; longestBlank: number; longestPause: number }
type Watched = { stopWatching(): Seen }

export async function timeScrolling({ browser, visitor, cookies }: WebPlace) {
  const page = await visitor(cookies)
  await page.goto('/records/people')
  await page.locator('[aria-rowindex="3"]').waitFor()
  await page.waitForTimeout(1500)
  const height = await watch(page)
  let took = 0
  const trace = await traced(browser, page, async () => {
    took = await scroll(page, rows * height)
  })
  const seen = await page.evaluate(() => (window as unknown as Watched).stopWatching())
  await page.context().close()
  return { ...seen, took, longestUndrawn: longestUndrawn(trace) }
}

/** Scrolls in small steps at a constant speed, and continues if rows were late. */
async function scroll(page: Page, distance: number) {
  const grid = page.getByRole('grid')
  const box = (await grid.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const began = performance.now()
  let [turned, come] = [0, 0]
  for (let step = 1; come < distance && performance.now() - began < mostSeconds * 1000; step++) {
    const due = ((performance.now() - began) / (seconds * 1000)) * distance
    await page.mouse.wheel(0, due - turned)
    turned = due
    await new Promise((resolve) => setTimeout(resolve, stepMs))
    if (step % 30 === 0) come = await grid.evaluate(({ scrollTop }) => scrollTop)
  }
  return (performance.now() - began) / 1000
}

/** Records for every frame whether all visible rows show a record. Returns the height of a row. */
function watch(page: Page) {
  return page.evaluate(() => {
    const grid = document.querySelector('[role="grid"]')!
    const [head, body] = grid.querySelectorAll<HTMLElement>('[role="rowgroup"]')
    const { offsetHeight: above } = head!
    const topOf = (row: Element) => (row as HTMLElement).offsetTop
    const [first, second] = body!.querySelectorAll('[role="row"]')
    const height = topOf(second!) - topOf(first!)
    const isWhole = () => {
      const filled = [...body!.children].filter((row) => row.role === 'row' && row.textContent)
      const places = new Set(filled.map((row) => (topOf(row) - above) / height))
      const last = Math.floor((grid.scrollTop + grid.clientHeight - above - 1) / height)
      for (let place = Math.floor(grid.scrollTop / height); place <= last; place++) if (!places.has(place)) return false
      return true
    }

    const seen = { rows: 0, frames: 0, blankFrames: 0, longestBlank: 0, longestPause: 0 }
    let [wholeAt, frameAt, wasBlank, isOn] = [performance.now(), performance.now(), false, true]
    const look = () => {
      const now = performance.now()
      seen.frames++
      seen.longestPause = Math.max(seen.longestPause, now - frameAt)
      frameAt = now
      if (isWhole()) {
        // From the last complete frame to this one, so that the time between two frames counts too.
        if (wasBlank) seen.longestBlank = Math.max(seen.longestBlank, now - wholeAt)
        ;[wholeAt, wasBlank] = [now, false]
      } else {
        seen.blankFrames++
        seen.longestBlank = Math.max(seen.longestBlank, now - wholeAt)
        wasBlank = true
      }
      if (isOn) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    const stopWatching = () => {
      isOn = false
      return { ...seen, rows: Math.round(grid.scrollTop / height) }
    }
    Object.assign(window, { stopWatching })
    return height
  })
}

/** The longest time during which frames were shown with parts not drawn yet. */
function longestUndrawn({ frames }: Trace) {
  let [longest, wholeAt] = [0, frames[0]?.shownAt ?? 0]
  for (const { shownAt, isWhole } of frames) {
    if (isWhole) wholeAt = shownAt
    else longest = Math.max(longest, shownAt - wholeAt)
  }
  return longest
}
