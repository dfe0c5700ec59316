import { escapeFormula } from '../../../contract/shared/formula.ts'
import { categoriesOf, type Series } from './data.ts'

/** What people read, and the number behind it. */
export type Cell = { text: string; value?: number | null }

/** The table behind a chart. */
export function chartCsv(by: string, series: Series[]) {
  const head = [by, ...series.map(({ label }) => label)].map((text) => ({ text }))
  const rows = categoriesOf(series).map(({ label, points }) => [
    { text: label },
    ...points.map((point) => ({ text: '', value: point?.value ?? null })),
  ])
  return cellsCsv([head, ...rows])
}

/** As the server writes CSV: with the mark that Excel needs, and with formulas escaped. */
export const cellsCsv = (rows: Cell[][]) =>
  `\ufeff${rows.map((cells) => `${cells.map(plain).map(quoted).join(',')}\r\n`).join('')}`

const plain = ({ text, value }: Cell) => (value === undefined ? escapeFormula(text) : String(value ?? ''))

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The name of a downloaded file: letters and digits of any script. */
export const fileName = (title: string, ending: 'csv' | 'png') =>
  `${
    title
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'chart'
  }.${ending}`
