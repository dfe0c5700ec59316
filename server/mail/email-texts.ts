// The texts of all emails.
import type { Message } from './deliver.ts'
import { htmlOf, type Letter, type Row, textOf } from './layout.ts'

type To = { to: string; id?: string; unsubscribe?: string | null }

const compose = ({ to, id, unsubscribe }: To, subject: string, letter: Letter): Message => ({
  to,
  subject,
  text: textOf(letter),
  html: htmlOf(letter),
  ...(id && { id }),
  ...(unsubscribe && { unsubscribe }),
})

export const invitationMail = ({ invited_by, company, link, ...to }: To & InvitationWords) =>
  compose(to, `${invited_by ?? company} invited you to ${invited_by ? company : 'Kith'}`, {
    heading: `Join ${company}`,
    paragraphs: [
      `${invited_by ?? company} invited you to work with ${company} in Kith, where the company keeps its contacts and conversations.`,
    ],
    button: { label: 'Accept the invitation', url: link },
    notes: ['This link works once and expires in 7 days. If you did not expect this email, you can ignore it.'],
  })
type InvitationWords = { invited_by: string | null; company: string; link: string }

export const resetMail = ({ name, link, ...to }: To & { name: string; link: string }) =>
  compose(to, 'Set a new password for Kith', {
    heading: 'Set a new password',
    paragraphs: [`Hello ${name}, someone requested a new password for your Kith account.`],
    button: { label: 'Set a new password', url: link },
    notes: [
      'This link works once and expires in 1 hour.',
      'If it was not you, ignore this email. Your password has not changed.',
    ],
  })

export const confirmationMail = ({ name, company, link, ...to }: To & PersonWords & { link: string }) =>
  compose(to, `Confirm your new address for ${company}`, {
    heading: 'Confirm your new address',
    paragraphs: [`Hello ${name}, confirm that you want to sign in to ${company} in Kith with this address.`],
    button: { label: 'Confirm the address', url: link },
    notes: [
      'This link works once and expires in 7 days. Until you confirm, you sign in with your old address.',
      'If you did not expect this email, you can ignore it.',
    ],
  })

export const emailChangedMail = ({ name, company, ...to }: To & PersonWords) =>
  compose(to, `Your sign-in address for ${company} was changed`, {
    heading: 'Your sign-in address was changed',
    paragraphs: [
      `Hello ${name}, you no longer sign in to ${company} in Kith with this address. Another one was confirmed.`,
      'If you did not expect this, contact an Admin of your company immediately.',
    ],
    notes: [],
  })
type PersonWords = { name: string; company: string }

export const signUpMail = ({ link, ...to }: To & { link: string }) =>
  compose(to, 'Create your company in Kith', {
    heading: 'Create your company',
    paragraphs: ['Someone asked to create a company in Kith with this address.'],
    button: { label: 'Continue', url: link },
    notes: ['This link works once and expires in 1 hour. If it was not you, you can ignore this email.'],
  })

export const knownAddressMail = ({ link, ...to }: To & { link: string }) =>
  compose(to, 'You already have a Kith account', {
    heading: 'You already have an account',
    paragraphs: ['Someone asked to create a company in Kith with this address, but it already has an account.'],
    button: { label: 'Sign in', url: link },
    notes: ['If it was not you, you can ignore this email.'],
  })

export const optInMail = ({ title, words, label, link, note, from, ...to }: To & OptInWords) =>
  compose(to, title, { from, heading: title, paragraphs: [words], button: { label, url: link }, notes: [note] })
type OptInWords = { title: string; words: string; label: string; link: string; note: string; from: string }

export const autoresponse = ({ subject, words, from, ...to }: To & { subject: string; words: string; from: string }) =>
  compose(to, subject, { from, paragraphs: words.split(/\n\s*\n/), notes: [] })

/** A lead for a partner. `link`: to return it. */
export const leadMail = ({
  subject,
  words,
  link,
  ...to
}: To & { subject: string; words: string; link: string | null }) =>
  compose(to, subject, {
    heading: subject,
    paragraphs: words.split(/\n+/),
    notes: link ? [{ label: 'Return this lead', url: link }] : [],
  })

export const testMail = ({ company, ...to }: To & { company: string }) =>
  compose(to, `Test email from ${company}`, {
    heading: 'Your mail server works',
    paragraphs: [`This is the test email you requested. Kith can send email for ${company}.`],
    notes: [],
  })

export const notificationMail = ({ words, advice, facts = [], rows, link, choices, ...to }: To & NotificationWords) =>
  compose(to, words, {
    heading: words,
    paragraphs: [...facts, ...(advice ? [advice] : [])],
    rows,
    ...(link && { button: { label: 'Open in Kith', url: link } }),
    notes: [
      { label: 'Change your notification settings', url: choices },
      ...(to.unsubscribe ? [{ label: 'Unsubscribe from emails like this', url: to.unsubscribe }] : []),
    ],
  })
type NotificationWords = {
  words: string
  advice: string | null
  /** Of the record that it is about, such as "Email: ada@example.com". */
  facts?: string[]
  rows: Row[]
  link: string | null
  choices: string
}
