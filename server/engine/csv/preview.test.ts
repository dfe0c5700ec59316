import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { uploaded } from '../../../test/csv.ts'
import { zip } from '../../../test/workbook.ts'

const kith = await testApp()
const api = kith.withKey(await kith.given.key(await kith.given.company()))
const preview = async (content: string | Uint8Array, more: object = {}, object = 'people') =>
  api.previewImport({ object, file_id: await uploaded(api, content), ...more })

const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

describe('a preview', () => {
  test('suggests fields by header, in several spellings, and by content', async () => {
    const header = [
      'First Name',
      'SURNAME',
      'E-mail Address',
      'Company',
      'last_activity_at',
      '_reason',
      'Home page',
      'Fon',
      '',
    ]
    const row = [
      'Ada',
      'Lovelace',
      'ada@example.com',
      'Acme',
      '2026-01-01',
      'bad',
      'https://www.linkedin.com/in/ada',
      '+49 30 1234567',
      'x',
    ]
    const { columns, rows, is_exact } = await preview(`${header.join(',')}\n${row.join(',')}\n${row.join(',')}\n`)
    expect(columns.map(({ column, field, suggested_by }) => [column, field, suggested_by])).toEqual([
      ['First Name', 'first_name', 'header'],
      ['SURNAME', 'last_name', 'header'],
      ['E-mail Address', 'emails', 'header'],
      ['Company', 'organization', 'header'],
      ['last_activity_at', null, null],
      ['_reason', null, null],
      ['Home page', 'linkedin', 'content'],
      ['Fon', 'phones', 'content'],
      ['Column 9', null, null],
    ])
    expect(columns[0]!.samples).toEqual(['Ada'])
    expect(columns[4]!.note).toMatch(/read-only/)
    expect({ rows, is_exact }).toEqual({ rows: 2, is_exact: true })
  })

  test('gives a column called exactly like a field that field, whatever another one could mean', async () => {
    const { columns } = await preview('Title,Job title,Person\nAda L,CEO,Ada L\n')
    expect(columns.map(({ field }) => field)).toEqual([null, 'job_title', 'title'])
    const deals = await preview('Deal,Amount\nBig,5\n', {}, 'deals')
    expect(deals.columns.map(({ field }) => field)).toEqual(['name', 'amount'])
  })

  test('tells columns of the same name apart, and knows a full name', async () => {
    const { columns } = await preview('Name,Email,Email,Title\nAda L,a@b.com,c@d.com,CEO\n')
    expect(columns.map(({ column, field }) => [column, field])).toEqual([
      ['Name', 'title'],
      ['Email', 'emails'],
      ['Email (2)', 'emails'],
      ['Title', 'job_title'],
    ])
  })

  test.each([
    ['UTF-8', Buffer.from('First name\nZoë\n'), 'utf-8', []],
    ['UTF-8 with a mark', Buffer.from('\ufeffFirst name\nZoë\n'), 'utf-8', []],
    ['UTF-16', utf16('First name\nZoë\n'), 'utf-16le', []],
    ['UTF-16 of the other order', utf16('First name\nZoë\n', true), 'utf-16be', []],
    ['windows-1252', Buffer.from('First name\nZoë\n', 'latin1'), 'windows-1252', ['encoding']],
  ])('reads %s', async (_, content, encoding, unsure) => {
    const found = await preview(content)
    expect(found).toMatchObject({ format: { encoding }, unsure })
    expect(found.columns[0]).toMatchObject({ column: 'First name', samples: ['Zoë'], field: 'first_name' })
  })

  test.each([
    ['First name,City\n"A, B",Rome\n', ','],
    ['First name;City\n"A, B";Rome\nC;"D, E, F"\n', ';'],
    ['First name\tCity\nA\tRome, Italy\n', '\t'],
    ['First name|City\nA|Rome\n', '|'],
    ['First name\nA\n', ','],
    ['First name,City\r"A\rB",Rome\r', ','],
  ])('detects the delimiter of %j', async (content, delimiter) => {
    const { format, columns } = await preview(content)
    expect(format.delimiter).toBe(delimiter)
    expect(columns[0]!.column).toBe('First name')
  })

  test.each([
    ['Score,Birthday\n1.5,31/12/2020\n', '.', 'dmy', []],
    ['Score;Birthday\n1,5;31.12.2020\n', ',', 'dmy', []],
    ['Score,Birthday\n"1,234.50",12/31/2020\n', '.', 'mdy', []],
    ['Score,Birthday\n"1,234",2020-12-31\n', '.', 'mdy', ['decimal']],
    ['Score,Birthday\n1,01/02/2020\n', '.', 'mdy', ['date_order']],
    ['Score,Birthday\n1,13/02/2020\n2,02/13/2020\n', '.', 'dmy', ['date_order']],
  ])(
    'detects decimals and dates of %j, and says what it does not know',
    async (content, decimal, date_order, unsure) => {
      expect(await preview(content)).toMatchObject({ format: { decimal, date_order }, unsure })
    },
  )

  test('uses what the caller says instead', async () => {
    const content = 'First name;City\nA;1,5\n'
    const format = { delimiter: ',', decimal: ',', date_order: 'ymd', encoding: 'windows-1252' }
    const found = await preview(content, { format })
    expect(found).toMatchObject({ format, unsure: [] })
    expect(found.columns).toHaveLength(1)
  })

  test.each([
    [
      'a broken workbook',
      Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from('....xl/workbook.xml')]),
      /damaged.*save it again/,
    ],
    ['a zip', zip({ 'people.csv': 'a,b' }), /not a complete workbook/],
    ['an old or protected workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /protected workbook.*without a password/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /not a table/],
    ['a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', /line 3.*never closed/],
    ['a misplaced quote', 'a,b\n1,2\n3,"4"5\n', /line 3.*misplaced/],
    ['a quote after a space', 'a,b\n1,2\n3, "4, 5"\n', /line 3.*misplaced/],
    ['broken JSON', '{"first_name": "Ada"}\n{"first_name"\n', /Line 2 is not a JSON object/],
    ['a broken contact card', 'BEGIN:VCARD\nFN:Ada\n', /card at line 1 has no end/],
    ['UTF-16 without a mark', utf16('First name,City\nÀda,Rome\n').subarray(2), /choose its encoding/],
    ['too many columns', `${'a,'.repeat(500)}a\n`, /more than 500 columns/],
    ['a quote in the second line that is never closed', 'a,b\n"1,2\n', /line 2.*never closed/],
    [
      'a quote that is never closed, after a quoted line break',
      'a,b\r\n"1\r\n2",2\r\n"3,4\r\n',
      /line 4.*never closed/,
    ],
    ['nothing but blank lines', '\n\n\n', /is empty/],
    ['nothing but a header', 'First name\n,\n', /no rows/],
  ])('explains what to do with %s', async (_, content, message) => {
    await expect(preview(content)).rejects.toMatchObject({
      problem: { status: 422, detail: expect.stringMatching(message) },
    })
  })

  test('reads files whose first line names the delimiter', async () => {
    for (const [content, format] of [
      ['sep=|\nFirst name|City\nAda|Rome, Italy\n', undefined],
      ['\ufeffsep=;\r\nFirst name;City\r\nAda;Rome\r\n', undefined],
      ['sep=|\nFirst name,City\nAda,Rome\n', { delimiter: ',' }],
    ] as const) {
      const { columns, rows } = await preview(content, { format })
      expect(columns.map(({ column }) => column)).toEqual(['First name', 'City'])
      expect(rows).toBe(1)
    }
  })

  test('reads a quote inside of a cell as part of it', async () => {
    const { columns, rows, format } = await preview('First name;City\n5" pipe;a "b" c\n"""x""";"6"" pipe"\n')
    expect(columns.map(({ samples }) => samples)).toEqual([
      ['5" pipe', '"x"'],
      ['a "b" c', '6" pipe'],
    ])
    expect({ rows, delimiter: format.delimiter }).toEqual({ rows: 2, delimiter: ';' })
  })

  test.each(['utf-16le', 'utf-16be'] as const)('reads %s without a mark if it is chosen', async (encoding) => {
    const content = utf16('First name,City\nÀda,Rome\n', encoding === 'utf-16be').subarray(2)
    const { columns, rows } = await preview(content, { format: { encoding } })
    expect(columns.map(({ samples }) => samples)).toEqual([['Àda'], ['Rome']])
    expect(rows).toBe(1)
  })

  test('is sure about the decimals of our own exports', async () => {
    const content = 'ID;First name;Score\n0198a5c0-0000-7000-8000-000000000000;Ada;3,125\n'
    expect(await preview(content)).toMatchObject({ format: { decimal: ',' }, unsure: [] })
    expect((await preview(content.replace('ID;', 'Number;'))).unsure).toEqual(['decimal'])
  })

  test('does not take dates for phone numbers', async () => {
    const { columns } = await preview('Met on,Fon\n01.02.2024,030 1234567\n03.04.2024,030 7654321\n')
    expect(columns.map(({ field }) => field)).toEqual([null, 'phones'])
  })

  test('takes neither every date for a birthday nor every address for a profile', async () => {
    const { columns } = await preview('Name,Next meeting,Home page\nAda L,2031-01-02,https://acme.example\n')
    expect(columns.map(({ field, is_lost }) => [field, is_lost])).toEqual([
      ['title', false],
      [null, true],
      [null, true],
    ])
  })

  test('asks for the country of phone numbers without a country code, unless the company has one', async () => {
    const content = 'First name,Phone\nAda,030 1234567\n'
    expect(await preview(content)).toMatchObject({ format: { country: 'US' }, unsure: ['country'] })
    expect(await preview(content, { format: { country: 'de' } })).toMatchObject({
      format: { country: 'DE' },
      unsure: [],
    })
    expect(await preview(content.replace('030', '+49 30'))).toMatchObject({ unsure: [] })
    await api.updateCompany({ country: 'AT' } as never)
    expect(await preview(content)).toMatchObject({ format: { country: 'AT' }, unsure: [] })
    await api.updateCompany({ country: null } as never)
  })

  test('estimates the rows of a large file', async () => {
    const row = `${'x'.repeat(50)},${'y'.repeat(50)}\n`
    const { rows, is_exact } = await preview(`First name,City\n${row.repeat(50_000)}`)
    expect(is_exact).toBe(false)
    expect(Math.abs(rows - 50_000)).toBeLessThan(2500)
  })
})
