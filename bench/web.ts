// The list of 100,000 people in Chromium, measured by its trace: first rows, scrolling, typing a filter, and the size of
// the scripts. RECORDS sets the number of people; RECORDS_FOLDER keeps them. Needs the built web app.
import { median } from './harness.ts'
import { timeBoard } from './web-board.ts'
import { openWeb } from './web-place.ts'
import { timeRows } from './web-rows.ts'
import { pageScripts } from './web-script.ts'
import { timeScrolling } from './web-scroll.ts'
import { timeTyping } from './web-typing.ts'

const size = Number(process.env.RECORDS ?? 100_000)
const bars: { what: string; seen: string; bar: string; isMet: boolean }[] = []
const note = (what: string, seen: string, bar: string, isMet: boolean) => bars.push({ what, seen, bar, isMet })
const ms = (value: number) => `${value.toFixed(0)} ms`
const kB = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`

const place = await openWeb(size)
try {
  await measureRows()
  await measureScrolling()
  await measureTyping()
  await measureBoard()
  measureScript()
} finally {
  await place.stop()
}
console.log('\nBars')
for (const { what, seen, bar, isMet } of bars)
  console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${what.padEnd(58)} ${seen.padStart(9)}  (${bar})`)

async function measureRows() {
  const { bare, fresh, again, record } = await timeRows(place)
  console.log('\nFrom the click on People to rows on the screen (median of 5)')
  const line = (name: string, times: number[]) =>
    console.log(`  ${name.padEnd(28)} ${ms(median(times)).padStart(8)}   (${times.map(ms).join(', ')})`)
  line('ours, first visit', fresh)
  line('ours, scripts in the cache', again)
  line('bare page: call and table', bare)
  console.log(`  ratio of bare to ours        ${(median(bare) / median(fresh)).toFixed(2)}`)
  console.log('From the address of a person to the fields on the page')
  line('ours, first visit', record.fresh)
  line('ours, scripts in the cache', record.again)
  for (const [what, times] of [
    ['rows of People', { fresh, again }],
    ['fields of a record', record],
  ] as const) {
    note(`${what}, first visit`, ms(median(times.fresh)), 'under 900 ms', median(times.fresh) < 900)
    note(`${what}, scripts in the cache`, ms(median(times.again)), 'under 350 ms', median(times.again) < 350)
  }
}

async function measureScrolling() {
  const seen = await timeScrolling(place)
  console.log(`\nScrolling ${seen.rows} rows in ${seen.took.toFixed(0)} s, ${seen.frames} frames`)
  console.log(`  frames with a row still loading          ${seen.blankFrames}`)
  console.log(`  longest time with a visible row missing  ${ms(seen.longestBlank)}`)
  console.log(`  longest time with parts not drawn yet    ${ms(seen.longestUndrawn)}`)
  console.log(`  longest time between two frames          ${ms(seen.longestPause)}`)
  const gap = Math.max(seen.longestBlank, seen.longestUndrawn)
  note('longest blank gap while scrolling 5,000 rows', ms(gap), 'at most 200 ms', gap <= 200 && seen.rows >= 5000)
}

async function measureTyping() {
  const { ours, bare } = await timeTyping(place)
  console.log('\nTyping a filter: from a key to the screen (median, slowest)')
  const line = (name: string, times: number[]) =>
    console.log(`  ${name.padEnd(28)} ${ms(median(times)).padStart(8)} ${ms(Math.max(...times)).padStart(8)}`)
  line('ours', ours)
  line('bare field', bare)
  note('a key while typing a filter, median', ms(median(ours)), 'under 100 ms', median(ours) < 100)
}

async function measureBoard() {
  const { cards, moves, deals } = await timeBoard(place)
  console.log(`\nA board of ${deals.toLocaleString('en')} deals (median of ${cards.length})`)
  console.log(
    `  from the click on Deals to the first cards  ${ms(median(cards)).padStart(8)}   (${cards.map(ms).join(', ')})`,
  )
  console.log(
    `  from a key to the card in its other column  ${ms(median(moves)).padStart(8)}   (${moves.map(ms).join(', ')})`,
  )
  note('first cards of a board after the click', ms(median(cards)), 'under 1 s', median(cards) < 1000)
  note('a card moves to another column', ms(median(moves)), 'under 100 ms', median(moves) < 100)
}

function measureScript() {
  console.log('\nScript, gzipped')
  for (const { page, files, size, most } of pageScripts()) {
    console.log(`  ${page.padEnd(26)} ${kB(size).padStart(7)} in ${files} files`)
    note(`script of the ${page} page`, kB(size), `under ${kB(most)}`, size < most)
  }
}
