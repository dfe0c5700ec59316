// Writes a workbook with one sheet, row by row, so that no part of it is held.
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import yazl from 'yazl'

/** Text, a number, a day as 2026-01-31, or an amount with the code of its currency. */
export type SheetCell = string | number | { day: string } | { amount: number; currency: string } | null

/** That a sheet holds, with its header. */
export const mostSheetRows = 1_048_576
/** That a cell holds. */
const mostCharacters = 32_767

const styleOf = { header: 1, day: 2 }
const firstOwnFormat = 164

export function writeSheet(name: string) {
  const zip = new yazl.ZipFile()
  const sheet = new PassThrough()
  const currencies: string[] = []
  let line = 0
  for (const [path, content] of Object.entries(plainParts(name))) zip.addBuffer(Buffer.from(content), path)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  sheet.write(
    `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  )
  function formatOf(currency: string) {
    const known = currencies.indexOf(currency)
    return 3 + (known >= 0 ? known : currencies.push(currency) - 1)
  }
  function cell(value: SheetCell, at: number, isHeader: boolean) {
    if (value === null || value === '') return ''
    const place = `r="${columnName(at)}${line}"`
    if (typeof value === 'number') return `<c ${place}><v>${value}</v></c>`
    if (typeof value === 'object' && 'day' in value)
      return `<c ${place} s="${styleOf.day}"><v>${serialOf(value.day)}</v></c>`
    if (typeof value === 'object') return `<c ${place} s="${formatOf(value.currency)}"><v>${value.amount}</v></c>`
    const style = isHeader ? ` s="${styleOf.header}"` : ''
    return `<c ${place} t="inlineStr"${style}><is><t xml:space="preserve">${escaped(value.slice(0, mostCharacters))}</t></is></c>`
  }
  return {
    /** The bytes of the file. */
    content: zip.outputStream as PassThrough,
    async write(rows: SheetCell[][], isHeader = false) {
      const lines = rows.map((cells) => {
        line++
        return `<row r="${line}">${cells.map((one, at) => cell(one, at, isHeader)).join('')}</row>`
      })
      return sheet.write(lines.join(''))
    },
    drained: () => once(sheet, 'drain'),
    end() {
      sheet.end('</sheetData></worksheet>')
      zip.addBuffer(Buffer.from(stylesWith(currencies)), 'xl/styles.xml')
      zip.end()
    },
    destroy: () => sheet.destroy(),
  }
}

/** Whether spreadsheets can tell this day: their calendar begins in 1900, with a day that never was. */
export const isSheetDay = (day: string) => day >= '1900-03-01' && day <= '9999-12-31'

const serialOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569

function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26))
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML does not allow are written as _x0007_, and what looks like it, too. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML does not allow
    .replace(/_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]/g, (one) => {
      const code = one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      return `_x${code}_`
    })
    .replace(/[&<>"]/g, (one) => entities[one]!)

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const plainParts = (name: string) => ({
  '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/></Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(sheetName(name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
})

const sheetName = (name: string) =>
  name
    .replace(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 31) || 'Sheet1'

function stylesWith(currencies: string[]) {
  const formats = currencies.map(
    (currency, i) =>
      `<numFmt numFmtId="${firstOwnFormat + i}" formatCode="#,##0.00 &quot;${escaped(currency)}&quot;"/>`,
  )
  const numFmts = formats.length ? `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` : ''
  const own = currencies.map(
    (_, i) =>
      `<xf numFmtId="${firstOwnFormat + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
  const header = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
  const day = '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
  return `${xml}<styleSheet xmlns="${main}">${numFmts}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${3 + own.length}">${plain}${header}${day}${own.join('')}</cellXfs></styleSheet>`
}
