// How a CSV file is written, from its first bytes and rows. What the file does not decide is reported as unsure.
import type { CsvFormat } from '../../../contract/csv.ts'
import { delimiters } from '../../../contract/csv.ts'

const marks: [encoding: CsvFormat['encoding'], mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** By its mark; without one, UTF-8 if every byte is valid as such, and otherwise the old encoding of Windows. */
export async function detectEncoding(content: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  try {
    for await (const piece of content) {
      const marked = isFirst && marks.find(([, mark]) => mark.every((byte, i) => piece[i] === byte))
      if (marked) return { encoding: marked[0], isSure: true }
      isFirst = false
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return { encoding: 'utf-8' as const, isSure: true }
  } catch {
    // The question is whether it is UTF-8.
    return { encoding: 'windows-1252' as const, isSure: false }
  }
}

const comparedRows = 50

/** The one that the first line names, or that divides most of the first rows into the same number of cells. */
export function detectDelimiter(text: string): CsvFormat['delimiter'] {
  const named = /^sep=(.)(\r|\n|$)/u.exec(text)?.[1]
  const known = delimiters.find((delimiter) => delimiter === named)
  if (known) return known
  const scores = delimiters.map((delimiter) => {
    const counts = countsOutsideQuotes(text, delimiter).filter((count) => count > 0)
    const [same = []] = [...Map.groupBy(counts, (count) => count).values()].toSorted((a, b) => b.length - a.length)
    return { delimiter, rows: same.length, cells: same[0] ?? 0 }
  })
  const [best] = scores.toSorted((a, b) => b.rows - a.rows || b.cells - a.cells)
  return best!.rows ? best!.delimiter : ','
}

function countsOutsideQuotes(text: string, delimiter: string) {
  const counts = [0]
  let isQuoted = false
  let isStart = true
  for (const character of text) {
    // Inside of a cell without quotes, a quote has no meaning.
    if (character === '"' && (isQuoted || isStart)) isQuoted = !isQuoted
    else if (!isQuoted && character === delimiter) counts[counts.length - 1]!++
    else if (!isQuoted && character === '\n' && counts.push(0) > comparedRows) break
    isStart = character === delimiter || character === '\n' || character === '"'
  }
  return counts
}

type Votes = Record<string, number>
const decided = (votes: Votes, fallback: string, isAmbiguous: boolean) => {
  const [first, second] = Object.entries(votes)
    .filter(([, count]) => count)
    .toSorted(([, a], [, b]) => b - a)
  return { value: first?.[0] ?? fallback, isSure: first ? !second : !isAmbiguous }
}

const pointDecimal =
  /^[+-]?(\d+|\d{1,3}(,\d{3})+)\.(\d{1,2}|\d{4,})$|^[+-]?\d{1,3}(,\d{3}){2,}$|^[+-]?\d{1,3}(,\d{3})+\.\d+$/
const commaDecimal =
  /^[+-]?(\d+|\d{1,3}(\.\d{3})+),(\d{1,2}|\d{4,})$|^[+-]?\d{1,3}(\.\d{3}){2,}$|^[+-]?\d{1,3}(\.\d{3})+,\d+$/
const eitherDecimal = /^[+-]?\d{1,3}[.,]\d{3}$/

/** Amounts may have a currency on either side. */
const amountIn = (cell: string) => cell.trim().replace(/^(\p{Sc}|[A-Z]{3})\s*|\s*(\p{Sc}|[A-Z]{3})$/gu, '')

/** `isPlain`: numbers have no separators of thousands. */
export function detectDecimal(cells: string[], fallback: CsvFormat['decimal'], isPlain = false) {
  const votes: Votes = { '.': 0, ',': 0 }
  let isAmbiguous = false
  for (const cell of cells) {
    if (cell.length > 40 || !/\d[.,]\d/.test(cell)) continue
    const amount = amountIn(cell)
    if (pointDecimal.test(amount)) votes['.']!++
    else if (commaDecimal.test(amount)) votes[',']!++
    else if (eitherDecimal.test(amount)) isAmbiguous = !isPlain
  }
  return decided(votes, fallback, isAmbiguous)
}

const numericDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[ T,])/

export function detectDateOrder(cells: string[], fallback: CsvFormat['date_order']) {
  const votes: Votes = { dmy: 0, mdy: 0 }
  let isAmbiguous = false
  let hasPoints = false
  for (const cell of cells) {
    const [, first, mark, second] = cell.length > 40 ? [] : (numericDate.exec(cell.trim()) ?? [])
    if (!first) continue
    hasPoints ||= mark === '.'
    if (Number(first) > 12) votes.dmy!++
    else if (Number(second) > 12) votes.mdy!++
    else isAmbiguous = true
  }
  return decided(votes, hasPoints ? 'dmy' : fallback, isAmbiguous && !hasPoints)
}
