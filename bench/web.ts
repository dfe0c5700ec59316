// The list of 100,000 people in Chromium, measured by its trace: first rows, scrolling, typing a filter, and the size of
// the scripts. RECORDS sets the number of people; RECORDS_FOLDER keeps them. Needs the built web app.
import { median } from './harness.ts'
import { openWeb } from './web-place.ts'
import { timeRows } from './web-rows.ts'
import { allScripts, countScripts, sizeOf } from './web-script.ts'
import { timeScrolling } from './web-scroll.ts'
import { timeTyping } from './web-typing.ts'

const size = Number(process.env.RECORDS ?? 100_000)
const bars: { what: string; seen: string; bar: string; isMet: boolean }[] = []
const note = (what: string, seen: string, bar: string, isMet: boolean) => bars.push({ what, seen, bar, isMet })
const ms = (value: number) => `${value.toFixed(0)} ms`
const kB = (files: Iterable<string>) => `${(sizeOf(files) / 1000).toFixed(0)} kB`

const place = await openWeb(size)
try {
  await measureRows()
  await measureScrolling()
  await measureTyping()
  await measureScript()
} finally {
  await place.stop()
}
console.log('\nBars')
for (const { what, seen, bar, isMet } of bars)
  console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${what.padEnd(58)} ${seen.padStart(9)}  (${bar})`)

async function measureRows() {
  const { bare, fresh, again } = await timeRows(place)
  console.log('\nFrom the click on Records to rows on the screen (median of 5)')
  const line = (name: string, times: number[]) =>
    console.log(`  ${name.padEnd(28)} ${ms(median(times)).padStart(8)}   (${times.map(ms).join(', ')})`)
  line('ours, first visit', fresh)
  line('ours, scripts in the cache', again)
  line('bare page: call and table', bare)
  console.log(`  ratio of bare to ours        ${(median(bare) / median(fresh)).toFixed(2)}`)
  note('first rows after the click, first visit', ms(median(fresh)), 'under 1 s', median(fresh) < 1000)
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
  const { quiet, disturbed } = await timeTyping(place)
  console.log('\nTyping a filter: longest task (its CPU time), slowest key to the screen; and in a bare field')
  const shown = ({ took, cpu }: { took: number; cpu: number }) => `${ms(took)} (${ms(cpu)})`.padEnd(16)
  const line = ({ typing, goingOn, slowestKey, bare }: (typeof quiet)[number]) =>
    console.log(
      `  typing ${shown(typing)} on after Enter ${shown(goingOn)} key ${ms(slowestKey).padEnd(8)}`,
      `bare ${shown(bare.typing)} ${shown(bare.goingOn)} key ${ms(bare.slowestKey)}`,
    )
  quiet.forEach(line)
  if (disturbed.length) console.log('  repeated, because CPU time was stolen:')
  disturbed.forEach(line)
  const usual = (part: 'typing' | 'goingOn') =>
    median(quiet.map((round) => round[part].took)) / median(quiet.map(({ bare }) => bare[part].took))
  console.log(
    `  ratio of ours to bare: typing ${usual('typing').toFixed(1)}, on after Enter ${usual('goingOn').toFixed(1)}`,
  )
  const worst = (part: 'typing' | 'goingOn') => Math.max(...quiet.map((round) => round[part].took))
  const isMet = (took: number) => quiet.length === 5 && took <= 50
  const [typing, goingOn] = [worst('typing'), worst('goingOn')]
  note('longest task while typing a filter, of 5 rounds', ms(typing), 'at most 50 ms', isMet(typing))
  note('longest task while matches are drawn, of 5 rounds', ms(goingOn), 'at most 50 ms', isMet(goingOn))
}

async function measureScript() {
  const { signIn, dashboard, list, filterBox } = await countScripts(place)
  const all = allScripts()
  const loaded = new Set([...dashboard, ...list, ...filterBox, ...signIn])
  const waiting = all.filter((file) => !loaded.has(file)).sort((a, b) => sizeOf([b]) - sizeOf([a]))
  console.log('\nScript, gzipped')
  for (const [name, files] of Object.entries({
    'sign-in': signIn,
    dashboard,
    'then Records': list,
    'then its filter as text': filterBox,
  }))
    console.log(`  ${name.padEnd(26)} ${kB(files).padStart(7)} in ${files.size} files`)
  console.log(`  ${'only with other pages'.padEnd(26)} ${kB(waiting).padStart(7)} in ${waiting.length} files, such as`)
  for (const file of waiting.slice(0, 8)) console.log(`    ${file.padEnd(40)} ${kB([file]).padStart(7)}`)
  note('script of the sign-in page', kB(signIn), 'under 300 kB', sizeOf(signIn) < 300_000)
  note('script of the dashboard', kB(dashboard), 'under 300 kB', sizeOf(dashboard) < 300_000)
  const isSplit = list.size > 0 && waiting.length > 0
  note('files of script that wait for their page', `${waiting.length} of ${all.length}`, 'pages split', isSplit)
}
