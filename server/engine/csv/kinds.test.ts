// Other kinds of files than CSV, from the upload to the records.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { finished, peopleIn } from '../../../test/csv.ts'
import { workbook } from '../../../test/workbook.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith

async function company() {
  const api = withKey(await given.key(await given.company()))
  const upload = async (name: string, content: string | Buffer) =>
    (await api.uploadFile({ purpose: 'import', name, file: new Blob([content as never]) })).id
  const run = async (file_id: string, more: object = {}) =>
    finished(api, (await api.importRecords({ object: 'people', file_id, ...more })).job_id)
  return { api, upload, run }
}

const cells = (row: number, list: string[]) =>
  `<row r="${row}">${list.map((cell, i) => cell.replace('<c', `<c r="${'ABCDE'[i]}${row}"`)).join('')}</row>`
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const header = cells(1, ['First name', 'Score', 'Birthday', 'City'].map(text))
const rows = [
  header,
  cells(2, [text('Ada'), '<c><v>1234.5</v></c>', '<c s="1"><v>33238</v></c>', text('Rome')]),
  // As text, in the notation of the country.
  cells(4, [text('Bo'), text('-0,25'), text('31.12.1990'), text('Bonn')]),
  cells(5, [text('Cy'), text('many'), text(''), text('')]),
].join('')

describe('a workbook', () => {
  const book = workbook({
    sheets: [
      { name: 'Readme', rows: cells(1, [text('Nothing here')]) },
      { name: 'People', rows },
    ],
  })

  test('shows its sheets, and the first one is not taken for granted', async () => {
    const { api, upload } = await company()
    const file_id = await upload('people.xlsx', book)
    const first = await api.previewImport({ object: 'people', file_id, format: { sheet: 'People' } })
    expect(first).toMatchObject({
      format: { kind: 'xlsx', sheet: 'People', decimal: ',', date_order: 'dmy' },
      sheets: ['Readme', 'People'],
      unsure: [],
      rows: 3,
      is_exact: true,
    })
    expect(first.columns.map(({ field, samples }) => [field, samples[0]])).toEqual([
      ['first_name', 'Ada'],
      ['score', '1234,5'],
      ['birthday', '1990-12-31'],
      ['city', 'Rome'],
    ])
    await expect(api.previewImport({ object: 'people', file_id })).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('It has no rows after the header') },
    })
    const both = workbook({ sheets: ['A', 'B'].map((name) => ({ name, rows })) })
    const preview = await api.previewImport({ object: 'people', file_id: await upload('both.xlsx', both) })
    expect(preview).toMatchObject({ format: { sheet: 'A' }, unsure: ['sheet'] })
  })

  test('is imported with its numbers and dates, and errors name the row of the sheet', async () => {
    const { api, upload, run } = await company()
    const job = await run(await upload('people.xlsx', book), { format: { sheet: 'People' } })
    expect(job.problems).toMatchObject([{ line: 5, message: expect.stringContaining('1234,5') }])
    expect(await peopleIn(api, ['first_name', 'score', 'birthday', 'city'])).toEqual([
      ['Ada', 1234.5, '1990-12-31', 'Rome'],
      ['Bo', -0.25, '1990-12-31', 'Bonn'],
    ])
  })
})

test('JSON lines are imported, and errors name their line', async () => {
  const { api, upload, run } = await company()
  const lines = [
    { first_name: 'Ada', score: 1.5, emails: ['ada@example.com', 'a@b.example'] },
    { first_name: 'Bo', score: 'x' },
  ]
  const job = await run(await upload('people.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')))
  expect(job.problems).toMatchObject([{ line: 2 }])
  expect(await peopleIn(api, ['first_name', 'score', 'emails'])).toEqual([
    ['Ada', 1.5, ['ada@example.com', 'a@b.example']],
  ])
})

test('contact cards are imported as people with their organization', async () => {
  const { api, upload, run } = await company()
  const card =
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller;Maria;;;\r\nORG:Südbau AG\r\nTEL:+49 151 1234567\r\nEMAIL:m@example.com\r\nEND:VCARD\r\n'
  const job = await run(await upload('contacts.vcf', card), { if_missing: 'create' })
  expect(job.problems).toEqual([])
  const { records } = await api.listRecords({ object: 'people' })
  expect(records).toMatchObject([
    { first_name: 'Maria', last_name: 'Müller', emails: ['m@example.com'], phones: ['+491511234567'] },
  ])
  expect(records[0]!.organization).toMatchObject({ title: 'Südbau AG' })
})
