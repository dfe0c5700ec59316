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
    },
  ])
})

test('many cards are many rows, and a company without a person has no name of a person', () => {
  const text = `\ufeff${card('VERSION:3.0', 'N:;;;;', 'FN:Acme', 'ORG:Acme')}\r\n${card('VERSION:3.0', 'N:B;A', 'AGENT:', 'BEGIN:VCARD', 'N:X;Y', 'END:VCARD')}`
  expect(read(text)).toEqual([
    { line: 1, Organization: 'Acme' },
    { line: 8, 'First name': 'A', 'Last name': 'B' },
  ])
})

test.each([
  ['BEGIN:VCARD\nN:A;B\n', 'The card at line 1 has no end'],
  ['hello', 'It has no contact cards'],
  ['', 'It has no contact cards'],
])('%j is refused', (text, problem) => {
  expect(() => read(text)).toThrow(problem)
})
