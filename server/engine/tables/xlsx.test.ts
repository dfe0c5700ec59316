import { describe, expect, test } from 'vitest'
import { workbook, zip } from '../../../test/workbook.ts'
import type { TableRow } from './table.ts'
import { readWorkbook } from './xlsx.ts'

const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="str"><v>Amount</v></c></row>'
const one = (rows: string, texts: string[] = [], is1904 = false) =>
  workbook({ sheets: [{ name: 'Deals', rows: header + rows }], texts, is1904 })
async function read(content: Buffer, sheet?: string) {
  const { rows, ...about } = await readWorkbook(content, sheet)
  const lines = Buffer.from(rows).toString().split('\n').filter(Boolean)
  return { ...about, rows: lines.map((line) => JSON.parse(line) as TableRow) }
}
const cellsOf = async (content: Buffer) => (await read(content)).rows.slice(1).map(({ cells }) => cells)

describe('cells', () => {
  test('are texts, numbers, yes and no, each as it was entered', async () => {
    const texts = [
      '<si><t>Müller &amp; Söhne</t></si>',
      '<si><r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>spoken</t></rPh></si>',
      '<si><t xml:space="preserve"> two_x000D_\nlines</t></si>',
    ]
    const rows = `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1234.5</v></c></row>
      <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>0.30000000000000004</v></c></row>
      <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="b"><v>1</v></c></row>
      <row r="5"><c r="A5" t="e"><v>#N/A</v></c><c r="B5"><v>1E-7</v></c></row>`
    expect(await cellsOf(one(rows, texts))).toEqual([
      ['Müller & Söhne', 1234.5],
      ['Rich text', 0.3],
      [' two\r\nlines', true],
      ['#N/A', 1e-7],
    ])
  })

  test('of a date have no notation, whatever the calendar begins with', async () => {
    const dates = (serial: number) =>
      `<row r="2"><c r="A2" s="1"><v>${serial}</v></c><c r="B2" s="2"><v>${serial + 0.75}</v></c><c r="C2" s="3"><v>${serial}</v></c><c r="D2" s="4"><v>${serial}</v></c><c r="E2" s="5"><v>0.5</v></c></row>`
    expect(await cellsOf(one(dates(46_188)))).toEqual([
      ['2026-06-15', '2026-06-15T18:00:00', '2026-06-15', 46_188, '12:00:00'],
    ])
    const [since1904] = await cellsOf(one(dates(46_188 - 1462), [], true))
    expect(since1904!.slice(0, 2)).toEqual(['2026-06-15', '2026-06-15T18:00:00'])
    expect(
      await cellsOf(one('<row r="2"><c r="A2" s="1"><v>1</v></c><c r="B2" t="d"><v>2026-06-15</v></c></row>')),
    ).toEqual([['1900-01-01', '2026-06-15']])
  })

  test('of a formula have its last result, and one without a result is refused with its row', async () => {
    const calculated =
      '<row r="2"><c r="A2" t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c r="B2"><f>1+1</f><v>2</v></c></row>'
    expect(await cellsOf(one(calculated))).toEqual([['ab', 2]])
    await expect(read(one('<row r="7"><c r="B7"><f>1+1</f></c></row>'))).rejects.toThrow(
      'The formula in row 7 has never been calculated',
    )
  })

  test('keep their columns and rows where some are missing or merged', async () => {
    const { rows } = await read(one('<row r="9"><c r="C9"><v>3</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>'))
    expect(rows.slice(1)).toEqual([
      { line: 9, cells: [null, null, 3] },
      { line: 10, cells: [1, 2] },
    ])
  })
})

describe('sheets', () => {
  const row = (text: string) => `<row r="1"><c r="A1" t="str"><v>${text}</v></c></row>`
  const several = workbook({
    sheets: [
      { name: 'Empty', rows: '<row r="1"/>' },
      { name: 'People', rows: row('people') },
      { name: 'Secret', rows: row('secret'), state: 'hidden' },
      { name: 'Deals &amp; more', rows: row('deals') },
    ],
  })

  test('the first with content is read, and the others are named', async () => {
    expect(await read(several)).toMatchObject({
      sheet: 'People',
      sheets: ['People', 'Deals & more'],
      rows: [{ line: 1, cells: ['people'] }],
    })
  })

  test('one of them can be chosen by its name', async () => {
    expect((await read(several, 'Deals & more')).rows).toEqual([{ line: 1, cells: ['deals'] }])
    await expect(read(several, 'Other')).rejects.toThrow('There is no sheet of this name')
    await expect(read(several, 'Empty')).rejects.toThrow('or it is empty')
    expect((await read(several, 'People')).sheets).toEqual(['People', 'Deals & more'])
  })
})

describe('a file is refused with what to do', () => {
  const sheet = (rows: string, more = {}) => workbook({ sheets: [{ name: 'A', rows }], more })
  test.each<[string, () => Buffer, string]>([
    ['that is damaged', () => sheet(header).subarray(0, 500), 'It is damaged'],
    ['that is not a workbook', () => zip({ 'a.txt': 'x' }), 'not a complete workbook'],
    ['of OpenDocument', () => zip({ mimetype: 'x', 'content.xml': '<x/>' }), 'OpenDocument'],
    ['without content', () => sheet(''), 'It is empty'],
    [
      'that is small only while it is packed',
      () => sheet(header, { 'xl/sharedStrings.xml': Buffer.alloc(320e6, ' ') }),
      'more than 300 MB once it is unpacked',
    ],
    [
      'with too many columns',
      () => sheet('<row r="1"><c r="ZZZ1" t="str"><v>x</v></c></row>'),
      'more than 500 columns',
    ],
  ])('%s', async (_, content, problem) => {
    await expect(read(content())).rejects.toThrow(problem)
  })

  test('that lies about its size', async () => {
    const parts = { 'xl/workbook.xml': '<workbook/>', 'xl/_rels/workbook.xml.rels': `<x>${' '.repeat(1e6)}</x>` }
    await expect(read(zip(parts, { 'xl/_rels/workbook.xml.rels': 10 }))).rejects.toThrow()
  })
})

test('macros and pictures are ignored', async () => {
  const more = { 'xl/vbaProject.bin': Buffer.alloc(1000), 'xl/media/image1.png': Buffer.alloc(1000) }
  expect((await read(workbook({ sheets: [{ name: 'A', rows: header }], more }))).rows).toHaveLength(1)
})

test('every row of a long sheet is read, with its place', async () => {
  const many = Array.from(
    { length: 30_000 },
    (_, i) => `<row r="${i + 2}"><c r="A${i + 2}" t="s"><v>0</v></c><c r="B${i + 2}"><v>${i}</v></c></row>`,
  ).join('')
  const { rows } = await read(one(many, ['<si><t>Acme</t></si>']))
  expect(rows).toHaveLength(30_001)
  expect(rows.at(-1)).toEqual({ line: 30_001, cells: ['Acme', 29_999] })
})
