// Workbooks of Excel and of everything that saves as .xlsx. A sheet is read as a stream, so that only its texts are kept.
import { Parser } from 'htmlparser2'
import yauzl from 'yauzl'
import { mostColumns, mostRows } from '../../../contract/shared/limits.ts'
import { collectRows, refuse, type Table, type TableCell } from './table.ts'

/** Of the parts that are read, once they are unpacked. */
const mostUnpacked = 300e6
/** Elements in elements, of which workbooks have about ten. */
const mostLevels = 100
const damaged = 'It is damaged. Open it in a spreadsheet and save it again'
/** Excel allows 31 characters. */
const longestName = 100
/** Of the texts that cells share, in characters. */
const mostText = 60e6

type Entry = { fileName: string; uncompressedSize: number }
type Zip = Awaited<ReturnType<typeof open>>
type Attributes = Record<string, string>
type Handlers = {
  start?(name: string, attributes: Attributes): void
  text?(text: string): void
  end?(name: string): void
}

export async function readWorkbook(content: Uint8Array, wanted?: string): Promise<Table> {
  const zip = await open(content)
  const { sheets, is1904 } = await readSheets(zip)
  if (!sheets.length) refuse('The workbook has no sheets')
  const texts = await readTexts(zip)
  const styleOf = await readStyles(zip)
  const read = (path: string) => readRows(zip, path, { texts, styleOf, is1904 })
  const filled: string[] = []
  let chosen: { name: string; rows: Uint8Array } | undefined
  for (const { name, path } of sheets) {
    const { rows } = await read(path)
    if (!rows.length) continue
    filled.push(name)
    if (!chosen && (wanted === undefined || wanted === name)) chosen = { name, rows }
  }
  if (!filled.length) return refuse('It is empty')
  if (!chosen) return refuse('There is no sheet of this name, or it is empty')
  return { rows: chosen.rows, sheets: filled, sheet: chosen.name }
}

async function open(content: Uint8Array) {
  const zip = await yauzl
    .fromBufferPromise(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    .catch(() => refuse(damaged))
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//, ''), entry)
  if (entries.has('content.xml') && !entries.has('xl/workbook.xml'))
    refuse('It is an OpenDocument spreadsheet. Save it as .xlsx or CSV')
  let unpacked = 0
  return {
    has: (path: string) => entries.has(path),
    /** Calls the handlers for the XML of this part. */
    async parse(path: string, { start, text, end }: Handlers) {
      const entry = entries.get(path)
      if (!entry) return refuse('It is not a complete workbook. Open it in a spreadsheet and save it again')
      unpacked += entry.uncompressedSize
      if (unpacked > mostUnpacked)
        refuse(`It has more than ${mostUnpacked / 1e6} MB once it is unpacked. Split it into several files`)
      let depth = 0
      const parser = new Parser(
        {
          onopentag(name, attributes) {
            // Each further level takes the parser longer.
            if (++depth > mostLevels) refuse(damaged)
            start?.(local(name), attributes)
          },
          ontext: (piece) => text?.(piece),
          onclosetag(name) {
            depth--
            end?.(local(name))
          },
        },
        { xmlMode: true },
      )
      const decoder = new TextDecoder()
      const stream = await zip.openReadStreamPromise(entry as never)
      for await (const piece of stream) parser.write(decoder.decode(piece as Uint8Array, { stream: true }))
      parser.write(decoder.decode())
      parser.end()
    },
  }
}

/** Some programs write every name with a prefix. */
const local = (name: string) => name.slice(name.indexOf(':') + 1)

async function readSheets(zip: Zip) {
  const targets = new Map<string, string>()
  await zip.parse('xl/_rels/workbook.xml.rels', {
    start(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`)
    },
  })
  const sheets: { name: string; path: string }[] = []
  let is1904 = false
  await zip.parse('xl/workbook.xml', {
    start(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      const path = targets.get(attributes['r:id'] ?? '')
      if (tag === 'sheet' && (attributes.state ?? 'visible') === 'visible' && path && zip.has(path))
        sheets.push({ name: (attributes.name ?? `Sheet ${sheets.length + 1}`).slice(0, longestName), path })
    },
  })
  return { sheets, is1904 }
}

async function readTexts(zip: Zip) {
  const texts: string[] = []
  if (!zip.has('xl/sharedStrings.xml')) return texts
  let current = ''
  let total = 0
  let isText = false
  /** How words are pronounced is not part of the text. */
  let isPhonetic = false
  await zip.parse('xl/sharedStrings.xml', {
    start(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      if (name === 't') isText = !isPhonetic
    },
    text(piece) {
      if (isText) current += piece
    },
    end(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      total += current.length
      if (total > mostText) refuse('It has too much text for a workbook. Save it as CSV')
      texts.push(plainText(current))
    },
  })
  return texts
}

/** Characters that XML does not allow are written as _x000D_. */
const plainText = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The numbers of formats that come with every workbook. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Letters of dates and times, outside of quotes, escapes and colors. [h] counts hours and is no date. */
const isDateCode = (code: string) => /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, ''))

/** What cells of a style show besides a number. */
type Style = { isDate?: boolean; currency?: string | undefined }

/** As our own exports write amounts: with the code of the currency behind them. */
const currencyIn = (code: string) => {
  const currency = /^#,##0\.00 "([A-Z]{3})"$/.exec(code)?.[1]
  return currency && Intl.supportedValuesOf('currency').includes(currency) ? currency : undefined
}

async function readStyles(zip: Zip) {
  const own = new Map<number, Style>()
  const styles: Style[] = []
  let isOfCells = false
  if (zip.has('xl/styles.xml'))
    await zip.parse('xl/styles.xml', {
      start(name, { numFmtId, formatCode }) {
        if (name === 'numFmt')
          own.set(Number(numFmtId), { isDate: isDateCode(formatCode ?? ''), currency: currencyIn(formatCode ?? '') })
        if (name === 'cellXfs') isOfCells = true
        if (name === 'xf' && isOfCells)
          styles.push(own.get(Number(numFmtId)) ?? { isDate: isBuiltInDate(Number(numFmtId)) })
      },
      end(name) {
        if (name === 'cellXfs') isOfCells = false
      },
    })
  return (style: number): Style => styles[style] ?? {}
}

type Reading = { texts: string[]; styleOf: (style: number) => Style; is1904: boolean }

async function readRows(zip: Zip, path: string, { texts, styleOf, is1904 }: Reading) {
  const rows = collectRows()
  let line = 0
  let count = 0
  let cells: TableCell[] = []
  let cell = { at: 0, type: 'n', style: 0, value: '', hasFormula: false, hasValue: false }
  let isValue = false
  let isPhonetic = false

  function content(): TableCell {
    const { type, value, style, hasFormula, hasValue } = cell
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'inlineStr' || type === 'str' || type === 'e') return plainText(value)
    if (type === 'b') return value === '1'
    if (type === 'd') return value
    if (!hasValue && hasFormula)
      return refuse(
        `The formula in row ${line} has never been calculated. Open the file in a spreadsheet and save it again`,
      )
    if (value === '') return null
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    const { isDate, currency } = styleOf(style)
    if (isDate) return dateOf(number, is1904)
    return currency ? `${rounded(number)} ${currency}` : rounded(number)
  }

  await zip.parse(path, {
    start(name, { r, t, s }) {
      if (name === 'row') {
        line = r ? Number(r) : line + 1
        cells = []
      }
      if (name === 'c') {
        const at = r ? columnOf(r) : cells.length
        if (at >= mostColumns) refuse(`It has more than ${mostColumns} columns`)
        cell = { at, type: t ?? 'n', style: Number(s ?? 0), value: '', hasFormula: false, hasValue: false }
      }
      if (name === 'f') cell.hasFormula = true
      if (name === 'rPh') isPhonetic = true
      if (name === 'v' || (name === 't' && !isPhonetic)) {
        isValue = true
        cell.hasValue = true
      }
    },
    text(piece) {
      if (isValue) cell.value += piece
    },
    end(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'c') {
        while (cells.length < cell.at) cells.push(null)
        cells[cell.at] = content()
      }
      if (name !== 'row' || cells.every((one) => one === null || one === '')) return
      if (++count > mostRows + 1)
        refuse(`It has more than ${mostRows.toLocaleString('en')} rows. Split it into several files`)
      rows.add({ line, cells })
    },
  })
  return { rows: rows.bytes() }
}

/** Of an address such as AB12. */
function columnOf(address: string) {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(address)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Spreadsheets store 0.1 + 0.2 as it was calculated, and show 15 digits. */
const rounded = (number: number) => Number(number.toPrecision(15))

const dayMs = 24 * 60 * 60 * 1000
/** Days since the end of 1899, or since 1904. The first calendar has a 29 February 1900, which never was. */
function dateOf(serial: number, is1904: boolean): string {
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const at = new Date(Math.round((days - 25_569) * (dayMs / 1000)) * 1000)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999) return String(serial)
  const [day, time] = [at.toISOString().slice(0, 10), at.toISOString().slice(11, 19)]
  if (serial > 0 && serial < 1) return time
  return time === '00:00:00' ? day : `${day}T${time}`
}
