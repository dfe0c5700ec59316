/** Text as spreadsheets put it on the clipboard: rows of cells, quoted where a cell holds tabs, quotes or line breaks. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/y
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text)!
    rows.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\t' && cell.lastIndex === text.length) rows.at(-1)!.push('')
    if (end !== '\t' && cell.lastIndex < text.length) rows.push([])
  }
  return rows
}

/** More than one cell. Lines of text in a field of many lines are one. */
export const isBlock = (cells: string[][], isLongText: boolean) =>
  cells.some((row) => row.length > 1) || (cells.length > 1 && !isLongText)
