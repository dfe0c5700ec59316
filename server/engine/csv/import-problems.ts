// What is wrong with a row, and what it has in common with the problems of other rows.
import { blank, type Problem, type ProblemKind } from '../../jobs/job.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { asFault, asNote } from './import-unreadable.ts'

type Columns = Pick<ImportInput, 'columns'>

export function problemsOf(input: Columns, line: Line): Problem[] {
  const { row, faults, unreadable, leftOut, notes, waits, record_id } = line
  if (waits && !faults.length) return []
  const texts = [
    ...new Set(
      faults.length ? [...faults, ...unreadable.map(asFault)] : [...unreadable.map(asNote), ...leftOut, ...notes],
    ),
  ]
  if (!texts.length) return []
  const problem = { line: row.line, message: texts.join('; '), kinds: kindsOf(input, row.cells, texts) }
  if (faults.length) return [{ ...problem, data: row.cells }]
  // What could not be read can be corrected in the file of failed rows, which then changes this record.
  const toCorrect = unreadable.length ? { data: row.cells, ...(record_id !== undefined && { record_id }) } : {}
  return [{ ...problem, ...toCorrect, is_note: true }]
}

export const kindsOf = ({ columns }: Columns, cells: string[], texts: string[]) =>
  texts.map((text) => kindOf(columns, cells, text))

const quotes = /“[^”]*”/g
const longestName = 60
const longestCell = 1000
const mostPieces = 50
const longestValue = 200

/** What problems say of other rows and of records. */
const others: [pattern: RegExp, instead: string][] = [
  [/\bline \d+$/, 'another line'],
  [/(?<=\bis already used by ).+/s, 'another record'],
  [/(?<=^This row matches )\d+ records: .+/s, 'several records'],
  [/(?<=\bUse one of these instead: ).+/s, blank],
]

/** The problem without what is in the row, so that it reads the same for all rows that have it. */
function kindOf(columns: string[], cells: string[], text: string): ProblemKind {
  const values: string[] = []
  const replace = (instead: string) => (value: string) => {
    if (!value.includes(blank)) values.push(value.trim().replace(/^“|”$/g, ''))
    return instead
  }
  const at = columns.findIndex((column) => text.startsWith(`${column}: `))
  const prefix = at < 0 ? '' : `${columns[at]}: `
  const pieces = piecesOf(at < 0 ? cells.filter((cell) => cell.length > 2) : [cells[at] ?? ''])
  // In their order, so that it is known which one is named.
  let rest = text
    .slice(prefix.length)
    .replace(/ Did you mean [^?]+\?/, '')
    .replace(pieces ?? quotes, replace(blank))
  const { length } = values
  for (const [pattern, instead] of others) rest = rest.replace(pattern, replace(instead))
  const [quoted = ''] = /^(“…”:\s*)+/.exec(rest) ?? []
  const said = rest.slice(quoted.length)
  const first = blanksIn(quoted)
  const [list = ''] = /“…”(?:,? “…”)*/.exec(said) ?? []
  const names = values.slice(first, Math.min(first + blanksIn(list), length)).map((name) => name.slice(0, longestName))
  return {
    message: `${prefix}${said.replace(/“…”(,? “…”)+/g, blank)}`,
    value: [...new Set(values)].join(' · ').slice(0, longestValue) || null,
    ...(names.length && { names }),
  }
}

const blanksIn = (text: string) => text.split(blank).length - 1

/** Finds a cell, or one of the values in it, as problems quote them: shortened. */
function piecesOf(cells: string[]) {
  const pieces = cells
    .filter((cell) => cell.length <= longestCell)
    .flatMap((cell) => [cell, ...cell.split(/[;,\n]| ::: /)])
    .map((piece) => piece.trim().slice(0, 60).trim())
    .filter(Boolean)
  if (!pieces.length) return undefined
  const longestFirst = [...new Set(pieces)].slice(0, mostPieces).toSorted((a, b) => b.length - a.length)
  return new RegExp(
    `“[^”]*”|(?<![\\p{L}\\p{N}])(?:${longestFirst.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}])`,
    'giu',
  )
}
