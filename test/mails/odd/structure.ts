import { bytes, mail, multipart, type OddMail, parts } from './odd-mail.ts'

const html = 'Content-Type: text/html; charset=utf-8\n\n<p>Hello <b>you</b></p>'
const text = 'Content-Type: text/plain; charset=utf-8\n\nHello you, in text only'
const picture = 'Content-Type: image/png\nContent-ID: <logo@x>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo='
const file = (name: string) =>
  `Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="${name}"\n\nx`

/** What is read of a message whose parts cannot be. */
const kept = {
  text: 'This message could not be read.',
  files: [{ name: 'message.eml', type: 'message/rfc822' }],
  notice: 'Kith could not read all of this message. The original is attached.',
  fault: 'This message could not be read.',
}

/** Parts inside of parts, which ask the reader to go deeper every time. */
function nested(depth: number) {
  const open = Array.from(
    { length: depth },
    (_, index) => `--b${index}\nContent-Type: multipart/mixed; boundary=b${index + 1}\n\n`,
  )
  return `${open.join('')}--b${depth}\n${text}\n--b${depth}--\n`
}

export const structureMails: OddMail[] = [
  {
    name: 'text and HTML',
    source: mail(multipart('alternative'), parts(text, html)),
    expected: { text: 'Hello you, in text only', html: '<p>Hello <b>you</b></p>', files: [] },
  },
  { name: 'HTML alone', source: mail(multipart('mixed'), parts(html)), expected: { text: 'Hello you' } },
  {
    name: 'a text part with nothing in it beside HTML',
    source: mail(multipart('alternative'), parts('Content-Type: text/plain\n\n ', html)),
    expected: { text: 'Hello you' },
  },
  {
    name: 'an image inside of the HTML',
    source: mail(multipart('related'), parts(html, picture)),
    expected: { files: [{ name: 'image.png', type: 'image/png', is_inline: true, size: 8 }] },
  },
  {
    name: 'an invitation as an alternative',
    source: mail(
      multipart('alternative'),
      parts(text, html, 'Content-Type: text/calendar; method=REQUEST; charset=utf-8\n\nBEGIN:VCALENDAR\nEND:VCALENDAR'),
    ),
    expected: { text: 'Hello you, in text only', files: [{ name: 'invitation.ics', type: 'text/calendar' }] },
  },
  {
    name: 'winmail.dat of Outlook',
    source: mail(
      multipart('mixed'),
      parts(
        text,
        'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Transfer-Encoding: base64\n\neJ8+IgAA',
      ),
    ),
    expected: {
      text: 'Hello you, in text only',
      files: [{ name: 'winmail.dat', type: 'application/ms-tnef', size: 6 }],
    },
  },
  {
    name: 'a message that was attached',
    source: mail(
      multipart('mixed'),
      parts(text, 'Content-Type: message/rfc822\n\nSubject: Inner\nFrom: x@y.z\n\nInner text'),
    ),
    expected: {
      subject: 'Question',
      text: 'Hello you, in text only',
      files: [{ name: 'message.eml', type: 'message/rfc822' }],
    },
  },
  {
    name: 'a file whose name is a path',
    source: mail(multipart('mixed'), parts(text, file('../../etc/passwd'), file('C:\\\\temp\\\\a.exe'), file('..'))),
    expected: { files: [{ name: 'passwd' }, { name: 'a.exe' }, { name: 'file' }] },
  },
  {
    name: 'a file whose name hides its ending',
    source: mail(multipart('mixed'), parts(text, file('invoice\u202egpj.exe'))),
    expected: { files: [{ name: 'invoicegpj.exe' }] },
  },
  {
    name: 'two files with the same name',
    source: mail(multipart('mixed'), parts(text, file('a.txt'), file('a.txt'))),
    expected: { files: [{ name: 'a.txt' }, { name: 'a.txt' }] },
  },
  {
    name: 'a type of file that is no type',
    source: mail(
      multipart('mixed'),
      parts(text, 'Content-Type: foo\nContent-Disposition: attachment; filename=a.b\n\nx'),
    ),
    expected: { files: [{ name: 'a.b', type: 'application/octet-stream' }] },
  },
  {
    name: 'parts without an end',
    source: mail(multipart('mixed'), `--b\n${text}\n`),
    expected: { text: 'Hello you, in text only' },
  },
  {
    name: 'a boundary that never comes',
    source: mail(multipart('mixed'), 'Only this\n'),
    expected: { subject: 'Question', ...kept },
  },
  {
    name: 'parts without a boundary',
    source: mail({ 'Content-Type': 'multipart/mixed' }, parts(text)),
    expected: { subject: 'Question', ...kept },
  },
  {
    name: 'inner parts without a boundary',
    source: mail(multipart('mixed'), parts(text, 'Content-Type: multipart/alternative\n\n--c\n\nMore words')),
    expected: { ...kept, text: 'Hello you, in text only' },
  },
  {
    name: 'parts without words',
    source: mail(multipart('alternative'), parts('Content-Type: text/plain\n\n')),
    expected: { text: '', files: [], fault: null },
  },
  {
    name: 'a type that is none',
    source: mail({ 'Content-Type': 'words' }, 'Hello you, in text only\n'),
    expected: { text: 'Hello you, in text only', files: [], fault: null },
  },
  {
    name: 'text before and after the parts',
    source: mail(multipart('mixed'), `This is a MIME message\n${parts(text)}Sent with love\n`),
    expected: { text: 'Hello you, in text only' },
  },
  {
    name: 'twenty levels of parts',
    source: mail({ 'Content-Type': 'multipart/mixed; boundary=b0' }, nested(20)),
    expected: { text: 'Hello you, in text only' },
  },
  {
    name: 'five hundred levels of parts',
    source: mail({ 'Content-Type': 'multipart/mixed; boundary=b0' }, nested(500)),
    expected: {
      subject: 'Question',
      from: { address: 'ada@example.com', name: 'Ada Lovelace' },
      ...kept,
    },
  },
  {
    name: 'a signature beside the text',
    source: mail(
      multipart('signed'),
      parts(text, 'Content-Type: application/pgp-signature; name="signature.asc"\n\n-----BEGIN PGP SIGNATURE-----'),
    ),
    expected: { text: 'Hello you, in text only', files: [{ name: 'signature.asc' }] },
  },
  {
    name: 'a message that is a single picture',
    source: mail({ 'Content-Type': 'image/png; name=a.png', 'Content-Transfer-Encoding': 'base64' }, 'iVBORw0KGgo='),
    expected: { text: '', html: null, files: [{ name: 'a.png', type: 'image/png', size: 8 }] },
  },
  {
    name: 'flowed text',
    source: mail({ 'Content-Type': 'text/plain; format=flowed' }, 'One long \nline.\n\nNext\n'),
    expected: { text: 'One long line.\n\nNext' },
  },
  {
    name: 'quoted-printable with broken signs',
    source: mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, '50 =3D 50, =ZZ and =\nno break\n'),
    expected: { text: '50 = 50, =ZZ and no break' },
  },
  {
    name: 'HTML that says nothing of its type',
    source: mail({ 'Content-Type': 'TEXT/HTML' }, bytes('<P>Big letters</P>')),
    expected: { text: 'Big letters', html: '<P>Big letters</P>' },
  },
  {
    name: 'an encrypted message',
    source: mail(
      { 'Content-Type': 'application/pkcs7-mime; name=smime.p7m', 'Content-Transfer-Encoding': 'base64' },
      'MIAGCSqGSIb3DQEHA6CA',
    ),
    expected: { text: '', files: [{ name: 'smime.p7m', type: 'application/pkcs7-mime' }] },
  },
]
