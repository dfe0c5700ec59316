import { expect, test } from 'vitest'
import type { TableRow } from './table.ts'
import { readCards } from './vcard.ts'

function read(text: string | Buffer) {
  const [header, ...rows] = Buffer.from(readCards(Buffer.from(text)).rows)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TableRow)
  return rows.map(({ line, cells }) => ({
    line,
    ...Object.fromEntries(header!.cells.flatMap((name, i) => (cells[i] === null ? [] : [[name, cells[i]]]))),
  }))
}
const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

test('version 3, as phones and Google write it', () => {
  const text = card(
    'VERSION:3.0',
    'N:Müller;Maria;Anna;Dr.;',
    'FN:Dr. Maria Anna Müller',
    'ORG:Südbau AG;Sales',
    'TITLE:Head of Sales\\, Europe',
    'EMAIL;TYPE=INTERNET;TYPE=WORK:maria@example.com',
    'item1.EMAIL;type=INTERNET;type=HOME:maria@home.example',
    'TEL;TYPE=CELL:+49 151 1234567',
    'TEL;TYPE=WORK,FAX:+49 30 999',
    'ADR;TYPE=WORK:;;Hauptstr. 1\\, 2. OG;Berlin;BE;10115;Germany',
    'BDAY:1980-02-29',
    'URL:https://example.com',
    'CATEGORIES:Customer,VIP',
    'NOTE:First line\\nsecond line that is so long that it',
    '  goes on in the next',
    'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ',
    ' AAAAAA==',
  )
  expect(read(text)).toEqual([
    {
      line: 1,
      'First name': 'Maria Anna',
      'Last name': 'Müller',
      Emails: 'maria@example.com\nmaria@home.example',
      Phones: '+49 151 1234567',
      Organization: 'Südbau AG',
      'Job title': 'Head of Sales, Europe',
      Street: 'Hauptstr. 1, 2. OG',
      City: 'Berlin',
      Region: 'BE',
      'Postal code': '10115',
      Country: 'Germany',
      Website: 'https://example.com',
      Birthday: '1980-02-29',
      Tags: 'Customer\nVIP',
      Notes: 'First line\nsecond line that is so long that it goes on in the next',
    },
  ])
})

test('version 2.1, as Outlook writes it, in its old encoding', () => {
  const text = card(
    'VERSION:2.1',
    'N;LANGUAGE=de;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg',
    'TEL;WORK;VOICE:030 123',
    'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=C3=9Fe=',
    ' aus K=C3=B6ln=0D=0A=',
    'Ende',
  )
  expect(read(text)).toEqual([
    { line: 1, 'First name': 'Jörg', 'Last name': 'Müller', Phones: '030 123', Notes: 'Grüße aus Köln\r\nEnde' },
  ])
  expect(read(Buffer.from(card('VERSION:2.1', 'N:Müller;Jörg'), 'latin1'))).toMatchObject([{ 'Last name': 'Müller' }])
})

test('version 4, with groups, quoted parameters and addresses', () => {
  const text = card(
    'VERSION:4.0',
    'FN:Ada Lovelace',
    'TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+44-20-7946-0000;ext=5',
    'EMAIL:mailto:ada@example.com',
    'ADR;LABEL="12 St James\\nLondon: UK":;;First;;;;',
    'ADR;PREF=1:;;Second;London;;SW1;United Kingdom',
    'BDAY:--0415',
  )
  expect(read(text)).toEqual([
    {
      line: 1,
      'Full name': 'Ada Lovelace',
      Emails: 'ada@example.com',
      Phones: '+44-20-7946-0000 x5',
      Street: 'Second',
      City: 'London',
      'Postal code': 'SW1',
      Country: 'United Kingdom',
      Birthday: '--04-15',
    },
  ])
})

test('a birthday without a year is kept as one, so that the import can say that it was left out', () => {
  const birthdays = ['BDAY:--0614', 'BDAY:--06-14', 'BDAY;X-APPLE-OMIT-YEAR=1604:1604-06-14', 'BDAY:1980-06-14']
  const text = birthdays.map((one) => card('N:Lovelace;Ada', one)).join('')
  expect(read(text).map((row) => (row as { Birthday?: string }).Birthday)).toEqual([
    '--06-14',
    '--06-14',
    '--06-14',
    '1980-06-14',
  ])
})

test('a note over several lines is whole, however they are written', () => {
  const notes = [
    ['NOTE:Met in Berlin\\nCall back'],
    ['NOTE:Met in Ber', ' lin\\nCall', '  back'],
    ['NOTE:Met in Berlin', 'Call back'],
    ['NOTE;ENCODING=QUOTED-PRINTABLE:Met in Berlin=0D=0ACall=20=', 'back'],
  ]
  const text = notes.map((lines) => card('N:Lovelace;Ada', ...lines, 'TITLE:CEO')).join('')
  for (const row of read(text))
    expect(row).toMatchObject({ Notes: expect.stringMatching(/^Met in Berlin\r?\nCall back$/), 'Job title': 'CEO' })
})

test('many cards are many rows, and a company without a person has no name of a person', () => {
  const text = `\ufeff${card('VERSION:3.0', 'N:;;;;', 'FN:Acme', 'ORG:Acme')}\r\n${card('VERSION:3.0', 'N:B;A', 'AGENT:', 'BEGIN:VCARD', 'N:X;Y', 'END:VCARD')}`
  expect(read(text)).toEqual([
    { line: 1, Organization: 'Acme' },
    { line: 8, 'First name': 'A', 'Last name': 'B' },
  ])
})

const ada = [{ line: 1, 'First name': 'Ada', 'Last name': 'Lovelace' }]
const plain = card('VERSION:3.0', 'N:Lovelace;Ada')

test.each<[string, string | Buffer, object[]]>([
  ['whose names are in small letters', plain.replaceAll(/[A-Z]{2,}/g, (word) => word.toLowerCase()), ada],
  ['with the line breaks of Unix', plain.replaceAll('\r\n', '\n'), ada],
  ['with those of old Macs', plain.replaceAll('\r\n', '\r'), ada],
  ['in UTF-16', Buffer.from(`\ufeff${plain}`, 'utf16le'), ada],
  ['with a picture by address', card('VERSION:4.0', 'N:Lovelace;Ada', 'PHOTO:data:image/jpeg;base64,AAAA'), ada],
  ['with a broken picture', card('VERSION:2.1', 'N:Lovelace;Ada', 'PHOTO;ENCODING=BASE64;JPEG:', ' %%%', ''), ada],
  ['in an unknown encoding', card('N;CHARSET=X;ENCODING=QUOTED-PRINTABLE:Lovelace;Ada'), ada],
  ['with a birthday in words', card('N:Lovelace;Ada', 'BDAY;VALUE=text:about 1815'), ada],
  ['with names that every object has', card('N:Lovelace;Ada', '__proto__:x', 'constructor:y'), ada],
  ['with a line that is not one of a card', card('hello', 'N:Lovelace;Ada', 'FN'), ada],
  [
    'with half a character',
    card('N;ENCODING=QUOTED-PRINTABLE:=F0=9F;Ada'),
    [{ line: 1, 'First name': 'Ada', 'Last name': '�' }],
  ],
])('a card %s is read', (_, text, rows) => {
  expect(read(text)).toEqual(rows)
})

test.each([
  ['BEGIN:VCARD\nBEGIN:VCARD\nFN:A\nEND:VCARD\n', 'The card at line 1 has no end'],
  [card('VERSION:3.0', 'N:;;;;', 'FN:', 'TEL:', 'ORG:;'), 'It has no contact cards'],
  ['BEGIN:VCARD\nN:A;B\n', 'The card at line 1 has no end'],
  ['hello', 'It has no contact cards'],
  ['', 'It has no contact cards'],
])('%j is refused', (text, problem) => {
  expect(() => read(text)).toThrow(problem)
})
