// Reads reports about messages that were not delivered (RFC 3464), and those that are only text.
import { addressesIn, type Headers, header, idsOf, oneLine } from './headers.ts'
import type { Bounce } from './mail.ts'

export type Report = {
  headers: Headers
  subject: string
  text: string
  /** The parts that are neither text nor HTML. */
  parts: { type: string; content: string }[]
}

export function bounceOf(report: Report): Bounce | null {
  const status = report.parts.find(({ type }) => type === 'message/delivery-status')
  if (status) return fromStatus(status.content, report)
  return isPlainBounce(report) ? fromText(report) : null
}

/** Its fields come in groups: one about the message, then one for each recipient. */
function fromStatus(content: string, report: Report): Bounce | null {
  const groups = content
    .slice(0, 100_000)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
  const failed = groups.find((group) => /^(?:failed|delayed)/i.test(group.get('action') ?? ''))
  if (!failed) return null
  const recipient = addressAfter(failed.get('final-recipient') ?? failed.get('original-recipient') ?? '')
  const code = failed.get('status') ?? ''
  return {
    recipient,
    original_id: originalId(report),
    is_final: /^failed/i.test(failed.get('action')!) && !code.startsWith('4'),
    reason: reasonOf(failed.get('diagnostic-code') ?? code),
  }
}

/** The Message-ID of what someone has seen, if this is a read receipt (RFC 8098). */
export function receiptOf({ parts }: Pick<Report, 'parts'>): string | null {
  const found = parts.find(({ type }) => type === 'message/disposition-notification')
  const fields = found && fieldsOf(found.content.slice(0, 10_000))
  if (!/;\s*displayed\b/i.test(fields?.get('disposition') ?? '')) return null
  return idsOf(fields?.get('original-message-id') ?? '')[0] ?? null
}

function fieldsOf(group: string) {
  const unfolded = group.replace(/\r?\n[ \t]+/g, ' ')
  return new Map(
    unfolded.split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
    }),
  )
}

/** `rfc822; ada@example.com` */
const addressAfter = (text: string) => addressesIn(text.slice(text.indexOf(';') + 1).slice(0, 1000))[0]?.address ?? null

const reasonOf = (text: string) =>
  oneLine(text.replace(/^\s*smtp\s*;/i, '').replace(/\s+/g, ' ')).slice(0, 500) || 'Not delivered'

function originalId({ parts, headers, text }: Report) {
  const original = parts.find(({ type }) =>
    /^(?:message\/rfc822|text\/rfc822-headers|message\/rfc822-headers)$/.test(type),
  )
  const quoted = messageIdIn(original?.content ?? text)
  return quoted ?? idsOf(header(headers, 'x-failed-message-id'))[0] ?? idsOf(header(headers, 'in-reply-to'))[0] ?? null
}

const messageIdIn = (text: string) =>
  /^[ \t>]{0,20}message-id:\s{0,20}<([^<>\s]{1,500})>/im.exec(text.slice(0, 200_000))?.[1] ?? null

const daemon = /^(?:mailer-daemon|postmaster|mail-daemon|mailerdaemon)@/i
const failure =
  /undeliver|delivery (?:status|failure|has failed|problem)|not delivered|returned mail|failure notice|mail delivery|unzustellbar|nicht zugestellt|non remis|no entregado|ikke leveret|niet bestelbaar|mancata consegna|non recapitabile|olevererbart|niedostarcz/i

function isPlainBounce({ headers, subject }: Report) {
  const from = addressesIn(header(headers, 'from').slice(0, 1000))[0]?.address ?? ''
  const isEmptyPath = /^\s*<\s*>\s*$/.test(header(headers, 'return-path'))
  return failure.test(subject) && (isEmptyPath || daemon.test(from) || headers.has('x-failed-recipients'))
}

/** The first address in the text that is not the daemon's, and the line with the server's answer. */
function fromText(report: Report): Bounce {
  const { headers, subject } = report
  const text = report.text.slice(0, 20_000)
  const found = text.match(/[^\s<>"'(),;:[\]]{1,64}@[\w.-]{1,255}/g) ?? []
  const recipient =
    addressesIn(header(headers, 'x-failed-recipients').slice(0, 1000))[0]?.address ??
    found.map((address) => address.toLowerCase().replace(/[.-]+$/, '')).find((address) => !daemon.test(address)) ??
    null
  const answer = text.split('\n').find((line) => /(?:^|[^\d])[45]\d\d(?:[ -]|$)/.test(line.slice(0, 1000)))
  const isDelayed = /delay|warning|verzögert|will (?:be )?retr/i.test(subject)
  return {
    recipient,
    original_id: originalId(report),
    is_final: !isDelayed && !/(?:^|[^\d])4\d\d[ -]/.test(answer?.slice(0, 1000) ?? ''),
    reason: reasonOf(answer ?? subject),
  }
}
