// The trace of a lead: what happened is stored as data and put into words here, once for every reader.
import { momentText } from '../../../../contract/filter/days.ts'
import { clockAt } from '../../../../contract/filter/zones.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'

/** Names are kept as they were at that time. */
type RouteRef = { route_id?: string; route?: string; delivery_id?: string; destination?: string }
export type Entry = { at: string } & RouteRef &
  (
    | { what: 'started' | 'sent_by_user'; by?: string }
    | { what: 'no_match'; condition: string }
    | {
        what:
          | 'filter_broken'
          | 'would_send'
          | 'taken'
          | 'only_test'
          | 'lead_deleted'
          | 'already_sent'
          | 'exclusive_elsewhere'
      }
    | { what: 'closed'; until?: string }
    | { what: 'delayed'; until: string }
    | { what: 'cap_reached'; window: string; cap: number; used: number }
    | { what: 'same_person'; days: number }
    | { what: 'not_possible'; problem: string }
    | {
        what: 'accepted' | 'rejected' | 'duplicate' | 'failed' | 'unknown'
        reason?: string | null
        ms?: number | null
        price?: number
        left?: { window: string; cap: number; left: number }
      }
    | { what: 'again'; reason?: string | null; until: string }
    | { what: 'stopped' | 'not_taken' | 'settled' | 'returned'; state?: string }
  )
/** Each of the alternatives without the time. */
type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never
export type NewEntry = Untimed<Entry>

/** By the company's currency and time zone. */
type Locale = { currency: string; time_zone: string }

export function wordsOf(entry: Entry, place: Locale): string {
  const text = sentence(entry, place)
  return entry.route ? `${entry.route}: ${text}` : `${text[0]!.toUpperCase()}${text.slice(1)}`
}

function sentence(entry: Entry, { currency, time_zone }: Locale): string {
  const time = (moment: string) =>
    `${momentText(clockAt(Date.parse(moment), time_zone))
      .slice(0, 16)
      .replace('T', ' ')} (${time_zone})`
  const to = entry.destination ?? 'the destination'
  switch (entry.what) {
    case 'started':
      return 'the lead was created and goes through the routes.'
    case 'sent_by_user':
      return `${entry.by ?? 'someone'} sent the lead${entry.destination ? ` to ${to}` : ' through the routes again'}.`
    case 'no_match':
      return `does not match. Its condition: ${inSentence(entry.condition)}`
    case 'filter_broken':
      return 'its filter no longer works, so it matches nothing.'
    case 'would_send':
      return `matches and would send to ${to}. It is in test mode, so nothing was sent.`
    case 'closed':
      return entry.until ? `is closed. The lead waits until ${time(entry.until)}.` : 'is closed now.'
    case 'delayed':
      return `matches. It sends after its delay, at ${time(entry.until)}.`
    case 'cap_reached':
      return entry.window === 'budget'
        ? `the budget for ${to} is used up (${entry.used} of ${entry.cap} ${currency}).`
        : `the cap for ${to} is reached (${entry.used} of ${entry.cap} ${windows[entry.window] ?? ''}).`
    case 'same_person':
      return `${to} got a lead with the same email or phone in the last ${entry.days} ${entry.days === 1 ? 'day' : 'days'}.`
    case 'already_sent':
      return `${to} already has this lead.`
    case 'exclusive_elsewhere':
      return `someone else has this lead and it is sold exclusively, so it does not go to ${to}.`
    case 'not_possible':
      return `nothing could be sent to ${to}. ${entry.problem}`
    case 'accepted':
      return `${to} accepted the lead${entry.ms ? ` in ${entry.ms} ms` : ''}${entry.price ? ` for ${entry.price} ${currency}` : ''}.${entry.left ? ` ${entry.left.left} of ${entry.left.cap} are left ${windows[entry.left.window]}.` : ''}`
    case 'rejected':
      return `${to} rejected the lead.${because(entry.reason)}`
    case 'duplicate':
      return `${to} has this lead from elsewhere.${because(entry.reason)}`
    case 'failed':
      return `sending to ${to} failed.${because(entry.reason)}`
    case 'unknown':
      return `it is unknown whether ${to} got the lead.${because(entry.reason)} It is not sent again.`
    case 'again':
      return `${to} could not accept the lead.${because(entry.reason)} The next attempt is at ${time(entry.until)}.`
    case 'taken':
      return 'the lead was accepted, so later routes are not tried.'
    case 'stopped':
      return 'stops here, as set in the route. Later routes are not tried.'
    case 'only_test':
      return 'all routes that match are in test mode, so nothing was sent.'
    case 'not_taken':
      return 'the lead was not placed.'
    case 'lead_deleted':
      return 'the lead was deleted, so it is not sent.'
    case 'settled':
      return `someone marked the delivery to ${to} as ${entry.state}.`
    case 'returned':
      return `${to} returned the lead.`
  }
}

const windows: Record<string, string> = { hour: 'this hour', day: 'today', month: 'this month', total: 'in total' }
const because = (reason: string | null | undefined) => (reason ? ` ${reason}${/[.!?]$/.test(reason) ? '' : '.'}` : '')
