import { escapeFormula } from '../../../contract/formula.ts'
import { categoriesOf, type Series } from './data.ts'

/** The table behind a chart, as the server writes CSV: with the mark that Excel needs, and with formulas escaped. */
export function chartCsv(by: string, series: Series[]) {
  const head = [by, ...series.map(({ label }) => label)].map(escapeFormula)
  const rows = categoriesOf(series).map(({ label, points }) => [
    escapeFormula(label),
    ...points.map((point) => String(point?.value ?? '')),
  ])
  return `\ufeff${[head, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')}`
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The name of a downloaded file: letters and digits of any script. */
export const fileName = (title: string, ending: 'csv' | 'png') =>
  `${
    title
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'chart'
  }.${ending}`
