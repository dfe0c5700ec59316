import { bytes, mail, multipart, type OddMail, parts } from './odd-mail.ts'

const type = (charset: string, encoding = '8bit') => ({
  'Content-Type': `text/plain; charset=${charset}`,
  'Content-Transfer-Encoding': encoding,
})
const latinHead = 'From: J\xf6rg <joerg@example.com>\r\nTo: support@kith.example\r\nMessage-ID: <1@example.com>\r\n'

export const charsetMails: OddMail[] = [
  {
    name: 'UTF-8 without an encoding',
    source: mail({ ...type('utf-8'), Subject: 'Grüße 🚀' }, 'Schöne Grüße\n'),
    expected: { subject: 'Grüße 🚀', text: 'Schöne Grüße' },
  },
  {
    name: 'windows-1252 in eight bits',
    source: mail(type('windows-1252'), bytes('Price: 5 \x80 \x96 gr\xfc\xdfe')),
    expected: { text: 'Price: 5 € – grüße' },
  },
  {
    name: 'windows-1252 that claims to be ISO-8859-1',
    source: mail(type('iso-8859-1'), bytes('\x93Quoted\x94')),
    expected: { text: '“Quoted”' },
  },
  {
    name: 'windows-1252 that claims to be UTF-8',
    source: mail(type('utf-8'), bytes('Sch\xf6ne Gr\xfc\xdfe')),
    expected: { text: 'Schöne Grüße' },
  },
  {
    name: 'windows-1252 as quoted-printable that claims to be UTF-8',
    source: mail(type('utf-8', 'quoted-printable'), 'Sch=F6ne Gr=FC=DFe'),
    expected: { text: 'Schöne Grüße' },
  },
  {
    name: 'UTF-8 that claims to be ISO-8859-1',
    source: mail(type('iso-8859-1'), 'Schöne Grüße – Łódź'),
    expected: { text: 'Schöne Grüße – Łódź' },
  },
  {
    name: 'eight bits that claim to be ASCII',
    source: mail(type('us-ascii'), 'Crème brûlée'),
    expected: { text: 'Crème brûlée' },
  },
  {
    name: 'eight bits without any type',
    source: mail({}, bytes('Cr\xe8me br\xfbl\xe9e')),
    expected: { text: 'Crème brûlée' },
  },
  {
    name: 'raw windows-1252 in the subject and in a name',
    source: bytes(`${latinHead}Subject: Gr\xfc\xdfe aus K\xf6ln\r\n\r\nHi\r\n`),
    expected: { subject: 'Grüße aus Köln', from: { address: 'joerg@example.com', name: 'Jörg' }, text: 'Hi' },
  },
  {
    name: 'raw GB2312 in the subject',
    source: bytes(
      'From: a@example.com\r\nSubject: \xc4\xe3\xba\xc3\r\nContent-Type: text/plain; charset=gb2312\r\n\r\n\xca\xc0\xbd\xe7',
    ),
    expected: { subject: '你好', text: '世界' },
  },
  {
    name: 'ISO-2022-JP',
    source: mail(type('iso-2022-jp', '7bit'), bytes('\x1b$B$3$s$K$A$O\x1b(B')),
    expected: { text: 'こんにちは' },
  },
  {
    name: 'KOI8-R',
    source: mail(type('koi8-r'), bytes('\xf0\xd2\xc9\xd7\xc5\xd4')),
    expected: { text: 'Привет' },
  },
  {
    name: 'a character set that does not exist',
    source: mail(type('x-klingon-7'), bytes('Caf\xe9')),
    expected: { text: 'Café' },
  },
  {
    name: 'encoded words that break a character in two',
    source: mail({ Subject: '=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=' }, 'Hi'),
    expected: { subject: 'Grüße' },
  },
  {
    name: 'encoded words in quotes',
    source: mail({ From: '"=?utf-8?Q?J=C3=B6rg_M=C3=BCller?=" <J@Example.com>' }, 'Hi'),
    expected: { from: { address: 'j@example.com', name: 'Jörg Müller' } },
  },
  {
    name: 'an encoded word that is cut off',
    source: mail({ Subject: '=?utf-8?B?R3LD' }, 'Hi'),
    expected: { subject: '=?utf-8?B?R3LD' },
  },
  {
    name: 'a text in UTF-8 beside HTML in windows-1252 that claims to be UTF-8',
    source: mail(
      multipart('alternative'),
      Buffer.concat([
        Buffer.from('--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nA text that is fine: Łódź\r\n'),
        bytes('--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'),
        bytes('<p>Gr=FC=DFe</p>\r\n--b--\r\n'),
      ]),
    ),
    expected: { text: 'A text that is fine: Łódź', html: '<p>Grüße</p>' },
  },
  {
    name: 'a byte order mark before the text',
    source: mail(type('utf-8'), '\ufeffHello'),
    expected: { text: 'Hello' },
  },
  {
    name: 'UTF-16 as base64',
    source: mail(type('utf-16le', 'base64'), Buffer.from('Grüße', 'utf16le').toString('base64')),
    expected: { text: 'Grüße' },
  },
  {
    name: 'null characters',
    source: mail({ Subject: 'A\0B' }, 'one\0two'),
    expected: { subject: 'A B', text: 'onetwo' },
  },
  {
    name: 'base64 with line breaks and rubbish in between',
    source: mail(type('utf-8', 'base64'), 'SGVs\n bG8s\n*** IFdv\ncmxk\n'),
    expected: { text: 'Hello, World' },
  },
  {
    name: 'a file name in parts and percent signs',
    source: mail(
      multipart('mixed'),
      parts(
        'Content-Type: text/plain\n\nHi',
        "Content-Type: application/pdf\nContent-Disposition: attachment; filename*0*=utf-8''Angebot%20f%C3%BCr;\n filename*1*=%20J%C3%B6rg.pdf\n\nx",
      ),
    ),
    expected: { text: 'Hi', files: [{ name: 'Angebot für Jörg.pdf', type: 'application/pdf' }] },
  },
]
