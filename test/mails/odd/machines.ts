// What machines send: reports, automatic replies, lists.
import { mail, multipart, type OddMail, parts } from './odd-mail.ts'

const report = { ...multipart('report'), From: 'Mail Delivery System <MAILER-DAEMON@mx.example>', 'Return-Path': '<>' }
const words = 'Content-Type: text/plain\n\nYour message could not be delivered.'
const original = 'Content-Type: message/rfc822\n\nMessage-ID: <kith.1@kith.example>\nSubject: Offer\n\nText'
const status = (fields: string) =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; Bob@Example.com\n${fields}`

export const machineMails: OddMail[] = [
  {
    name: 'a delivery report that is final',
    source: mail(
      report,
      parts(words, status('Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1\n No such user'), original),
    ),
    expected: {
      bounce: {
        recipient: 'bob@example.com',
        original_id: 'kith.1@kith.example',
        is_final: true,
        reason: '550 5.1.1 No such user',
      },
      text: 'Your message could not be delivered.',
    },
  },
  {
    name: 'a read receipt',
    source: mail(
      multipart('report'),
      parts(
        'Content-Type: text/plain\n\nYour message was displayed.',
        'Content-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; bob@example.com\nOriginal-Message-ID: <kith.1@kith.example>\nDisposition: manual-action/MDN-sent-manually; displayed',
      ),
    ),
    expected: { receipt: 'kith.1@kith.example', bounce: null, automatic: 'auto_reply' },
  },
  {
    name: 'a delivery report about a delay',
    source: mail(report, parts(words, status('Action: delayed\nStatus: 4.4.1'), original)),
    expected: {
      bounce: { recipient: 'bob@example.com', original_id: 'kith.1@kith.example', is_final: false, reason: '4.4.1' },
    },
  },
  {
    name: 'a delivery report with only the headers of the original',
    source: mail(
      report,
      parts(words, status('Action: failed\nStatus: 5.7.1'), 'Content-Type: text/rfc822-headers\n\nMessage-Id: <a@b>\n'),
    ),
    expected: { bounce: { recipient: 'bob@example.com', original_id: 'a@b', is_final: true, reason: '5.7.1' } },
  },
  {
    name: 'a report that a message was delivered',
    source: mail(report, parts('Content-Type: text/plain\n\nDelivered.', status('Action: delivered\nStatus: 2.0.0'))),
    expected: { bounce: null },
  },
  {
    name: 'a bounce that is only text',
    source: mail(
      { From: 'postmaster@mx.example', Subject: 'Undeliverable: Offer', 'Return-Path': '<>' },
      'Could not reach <Bob@example.com>:\n550 5.1.1 User unknown\n\n> Message-ID: <kith.2@kith.example>\n',
    ),
    expected: {
      bounce: {
        recipient: 'bob@example.com',
        original_id: 'kith.2@kith.example',
        is_final: true,
        reason: '550 5.1.1 User unknown',
      },
    },
  },
  {
    name: 'a person who writes about a bounce',
    source: mail({ Subject: 'Undeliverable mail' }, 'I got 550 from bob@example.com. What do I do?'),
    expected: { bounce: null, automatic: null },
  },
  {
    name: 'an absence note',
    source: mail(
      { Subject: 'Automatic reply: Offer', 'Auto-Submitted': 'auto-replied', 'In-Reply-To': '<kith.1@kith.example>' },
      'I am away until Monday.',
    ),
    expected: { automatic: 'auto_reply', in_reply_to: ['kith.1@kith.example'], bounce: null },
  },
  {
    name: 'an absence note in German without a header that says so',
    source: mail({ Subject: 'Automatische Antwort: Angebot', 'In-Reply-To': '<kith.1@kith.example>' }, 'Bin weg.'),
    expected: { automatic: 'auto_reply' },
  },
  {
    name: 'a mailing list',
    source: mail({ 'List-Id': '<dev.example.com>', Precedence: 'list' }, 'Hi all'),
    expected: { automatic: 'list' },
  },
  { name: 'a newsletter', source: mail({ Precedence: 'bulk' }, 'Buy now'), expected: { automatic: 'bulk' } },
  {
    name: 'a notice of a machine',
    source: mail({ 'Auto-Submitted': 'auto-generated' }, 'Backup done'),
    expected: { automatic: 'bulk' },
  },
  {
    name: 'a person whose program says that it is no machine',
    source: mail({ 'Auto-Submitted': 'no' }, 'Hi'),
    expected: { automatic: null },
  },
]
