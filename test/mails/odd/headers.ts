import { bytes, mail, type OddMail } from './odd-mail.ts'

export const headerMails: OddMail[] = [
  {
    name: 'no Message-ID',
    source: mail({ 'Message-ID': null }, 'Hi'),
    expected: { message_id: null, subject: 'Question' },
  },
  {
    name: 'an empty Message-ID',
    source: mail({ 'Message-ID': '<>' }, 'Hi'),
    expected: { message_id: null, text: 'Hi' },
  },
  {
    name: 'a Message-ID without brackets',
    source: mail({ 'Message-ID': 'abc@example.com' }, 'Hi'),
    expected: { message_id: 'abc@example.com', key: 'abc@example.com' },
  },
  {
    name: 'references that are folded, repeated and without spaces',
    source: mail({ 'In-Reply-To': '<3@x>', References: '<1@x>\r\n <2@x><3@x>\r\n\t<2@x>' }, 'Hi'),
    expected: { in_reply_to: ['3@x'], references: ['3@x', '2@x', '1@x'] },
  },
  {
    name: 'words in In-Reply-To',
    source: mail({ 'In-Reply-To': 'Your message of "Mon, 16 Nov 2026" <9@x>' }, 'Hi'),
    expected: { in_reply_to: ['9@x'], references: ['9@x'] },
  },
  {
    name: 'a message that refers to itself',
    source: mail({ References: '<1@example.com> <0@example.com>' }, 'Hi'),
    expected: { references: ['0@example.com'] },
  },
  {
    name: 'a thousand references',
    source: mail({ References: Array.from({ length: 1000 }, (_, index) => `<${index}@x>`).join('\r\n ') }, 'Hi'),
    expected: { references: Array.from({ length: 100 }, (_, index) => `${999 - index}@x`) },
  },
  { name: 'no sender', source: mail({ From: null }, 'Hi'), expected: { from: null, text: 'Hi' } },
  {
    name: 'a sender without an address',
    source: mail({ From: 'Undisclosed sender' }, 'Hi'),
    expected: { from: null },
  },
  {
    name: 'a comma in a name',
    source: mail({ From: '"Lovelace, Ada" <ada@example.com>', To: '"B, C" <b@x.y>, d@x.y' }, 'Hi'),
    expected: {
      from: { address: 'ada@example.com', name: 'Lovelace, Ada' },
      to: [
        { address: 'b@x.y', name: 'B, C' },
        { address: 'd@x.y', name: '' },
      ],
    },
  },
  {
    name: 'a group of recipients, and one that is empty',
    source: mail({ To: 'Team: a@x.y, "B" <b@x.y>;', Cc: 'undisclosed-recipients:;' }, 'Hi'),
    expected: {
      to: [
        { address: 'a@x.y', name: '' },
        { address: 'b@x.y', name: 'B' },
      ],
      cc: [],
    },
  },
  {
    name: 'an address in the name of another sender',
    source: mail({ From: '"boss@kith.example" <thief@example.com>' }, 'Hi'),
    expected: { from: { address: 'thief@example.com', name: 'boss@kith.example' } },
  },
  {
    name: 'a line break in an encoded name',
    source: mail({ From: '=?utf-8?Q?Ada=0D=0ABcc=3A_x=40y.z?= <ada@example.com>' }, 'Hi'),
    expected: { from: { address: 'ada@example.com', name: 'Ada Bcc: x@y.z' }, bcc: [] },
  },
  {
    name: 'a line break in an encoded subject',
    source: mail({ Subject: '=?utf-8?Q?One=0D=0ATwo?=' }, 'Hi'),
    expected: { subject: 'One Two' },
  },
  { name: 'no subject', source: mail({ Subject: null }, 'Hi'), expected: { subject: '', text: 'Hi' } },
  {
    name: 'a subject on several lines',
    source: mail({ Subject: 'A long\r\n subject\r\n\tgoes on' }, 'Hi'),
    expected: { subject: 'A long subject goes on' },
  },
  { name: 'a date that is none', source: mail({ Date: 'yesterday' }, 'Hi'), expected: { sent_at: null } },
  {
    name: 'a date in the future',
    source: mail({ Date: '1 Jan 2038 00:00:00 +0000' }, 'Hi'),
    expected: { sent_at: null },
  },
  {
    name: 'a date with comments and an old zone',
    source: mail({ Date: 'Mon, 16 Nov 2026 03:14:00 EST (Eastern)' }, 'Hi'),
    expected: { sent_at: new Date('2026-11-16T08:14:00Z') },
  },
  {
    name: 'lines that end with LF alone',
    source: mail({}, 'one\ntwo\n', '\n'),
    expected: { subject: 'Question', text: 'one\ntwo' },
  },
  {
    name: 'a line of an mbox file before the headers',
    source: Buffer.concat([bytes('From ada@example.com Mon Nov 16 09:14:00 2026\r\n'), mail({}, 'Hi')]),
    expected: { subject: 'Question', text: 'Hi', message_id: '1@example.com' },
  },
  {
    name: 'headers without a body',
    source: bytes('Subject: Only headers\r\nFrom: a@b.c'),
    expected: { subject: 'Only headers', text: '' },
  },
  {
    name: 'no headers at all',
    source: bytes('\r\nJust text\r\n'),
    expected: { subject: '', text: 'Just text', from: null },
  },
  { name: 'nothing', source: bytes(''), expected: { subject: '', text: '', from: null, files: [] } },
  {
    name: 'bytes that are no mail',
    source: bytes('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01'),
    expected: { from: null, files: [] },
  },
  {
    name: 'the same header twice',
    source: mail({ Subject: 'First\r\nSubject: Second' }, 'Hi'),
    expected: { subject: 'First' },
  },
  {
    name: 'several places to unsubscribe',
    source: mail({ 'List-Unsubscribe': '<mailto:off@x.y>, <https://x.y/off?a=1>' }, 'Hi'),
    expected: { unsubscribe: 'https://x.y/off?a=1', automatic: 'bulk' },
  },
  {
    name: 'an address with letters beyond ASCII',
    source: mail({ From: 'Jörg <Jörg@Köln.example>' }, 'Hi'),
    expected: { from: { address: 'jörg@köln.example', name: 'Jörg' } },
  },
]
