// A file of another kind than CSV, read as a table: the header and then the rows, as text that is made of JSON lines.

/** Numbers and booleans are as the file has them, so that no notation has to be guessed. */
export type TableCell = string | number | boolean | null
export type TableRow = { line: number; cells: TableCell[] }
export type Table = {
  /** JSON lines of rows. */
  rows: Uint8Array
  /** Of a workbook, those with content. */
  sheets: string[]
  sheet: string | null
}
/** Thrown with what to do, which names the row but never repeats its content. */
export class UnreadableTable extends Error {}

export const refuse = (problem: string): never => {
  throw new UnreadableTable(problem)
}

/** Collects rows as bytes, because most of them wait for long. */
export function collectRows() {
  const pieces: Buffer[] = []
  let waiting = ''
  const flush = () => {
    pieces.push(Buffer.from(waiting))
    waiting = ''
  }
  return {
    add(row: TableRow) {
      waiting += `${JSON.stringify(row)}\n`
      if (waiting.length > 100_000) flush()
    },
    bytes() {
      flush()
      const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
      let at = 0
      for (const piece of pieces) {
        all.set(piece, at)
        at += piece.length
      }
      return all
    },
  }
}
