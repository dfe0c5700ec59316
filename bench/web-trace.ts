// Reads a Chromium trace of a page: the frames that reached the screen.
import type { Browser, Page } from 'playwright-core'

type Event = {
  name: string
  ph: string
  ts: number
  pid: number
  tid: number
  id2?: { local: string }
  args: {
    frameSeqId?: number
    frame_reporter?: {
      frame_sequence: number
      frame_type?: string
      state: string
      has_missing_content: boolean
      checkerboarded_needs_raster: boolean
      checkerboarded_needs_record: boolean
    }
  }
}
export type Trace = Awaited<ReturnType<typeof traced>>

const categories = [
  'blink.user_timing',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
]

/** Traces the page during `act`. `at` returns the time of a mark (`performance.mark`); all times are in ms. */
export async function traced(browser: Browser, page: Page, act: () => Promise<void>) {
  await browser.startTracing(page, { categories })
  await page.evaluate(() => performance.mark('bench-from'))
  await act()
  await page.evaluate(() => performance.mark('bench-to'))
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Event[] }
  const start = traceEvents.find(({ name }) => name === 'bench-from')!
  const own = traceEvents.filter(({ pid }) => pid === start.pid).sort((a, b) => a.ts - b.ts)
  const at = (mark: string) => {
    const found = own.find(({ name, tid }) => name === mark && tid === start.tid)
    if (!found) throw new Error(`the page never reached the mark "${mark}"`)
    return found.ts / 1000
  }
  return { at, frames: framesIn(own), commits: commitsIn(own) }
}

const commitsIn = (events: Event[]) =>
  events.flatMap(({ name, ts, args }) => (name === 'Commit' ? [{ at: ts / 1000, sequence: args.frameSeqId! }] : []))

/** Every frame that was shown. `isWhole`: no part was missing because it was not drawn in time. */
function framesIn(events: Event[]) {
  const begun = new Map<string, Event>()
  const frames: { sequence: number; shownAt: number; isWhole: boolean; isOfPage: boolean }[] = []
  for (const event of events) {
    if (event.name !== 'PipelineReporter' || !event.id2) continue
    if (event.ph === 'b') begun.set(event.id2.local, event)
    const report = begun.get(event.id2.local)?.args.frame_reporter
    if (event.ph !== 'e' || !report?.state.startsWith('STATE_PRESENTED')) continue
    frames.push({
      sequence: report.frame_sequence,
      shownAt: event.ts / 1000,
      isWhole:
        !report.has_missing_content && !report.checkerboarded_needs_raster && !report.checkerboarded_needs_record,
      isOfPage: report.frame_type !== 'FORKED' && report.state === 'STATE_PRESENTED_ALL',
    })
  }
  return frames
}

/** When the state of the page at this mark was on the screen. */
export function shownAfter({ at, commits, frames }: Trace, mark: string) {
  const commit = commits.find((one) => one.at > at(mark))
  const frame = frames.find(({ sequence, isOfPage }) => isOfPage && commit && sequence >= commit.sequence)
  if (!frame) throw new Error(`the state of the page at "${mark}" was never shown`)
  return frame.shownAt
}
