// How much a submission looks like spam. A solved puzzle proves a browser, not a person: what several signs make clear
// stays spam. A sign rarely decides alone: password managers fill hidden fields, people paste links.

import { type Share, unshared } from '../../kernel/shared-limits.ts'
import { network } from '../../platform/network.ts'
import { sha256 } from '../../platform/secrets.ts'
import { dayMs } from '../../platform/times.ts'
import { createBuckets } from '../../platform/token-buckets.ts'
import type { FormToken, TokenFault } from '../../website/visitor-token.ts'

/** From here on a person must press a button or the page must solve a puzzle. */
export const suspicious = 40

const fastestMs = 3000
/** Of a text that counts as repeated, in characters, and from how many networks it may come. */
const shortestRepeated = 30
const mostNetworks = 4
const mostTexts = 10_000

type Signs = {
  /** undefined: none was sent, or one that is not ours. */
  token: FormToken | undefined
  fault: TokenFault | null
  isTrapFilled: boolean
  isRepeated: boolean
  hasHiddenOrigin: boolean
  isFrequent: boolean
  texts: { name: string; text: string }[]
  now: Date
}

export function spamScore(signs: Signs) {
  const { token, texts, now } = signs
  const links = texts.reduce((sum, { text }) => sum + (text.match(/https?:\/\/|www\./gi)?.length ?? 0), 0)
  const hasLinkInName = texts.some(({ name, text }) => isPersonName(name) && /https?:\/\/|www\./i.test(text))
  const hasMarkup = texts.some(({ text }) => /<a\s|\[url|\[link/i.test(text))
  const age = token ? now.getTime() - token.issued.getTime() : 0
  const isAnswer = token && (token.isConfirmed || token.fault !== null)
  const found: [boolean, number, string][] = [
    [signs.isTrapFilled, 45, 'A hidden field was filled in'],
    ...Object.entries(faults).map(([fault, [points, reason]]): [boolean, number, string] => [
      signs.fault === fault,
      points,
      reason,
    ]),
    [!!token && !isAnswer && age < fastestMs, 45, 'It was filled in within 3 seconds'],
    [!!token && age > dayMs, 20, 'Its token is older than a day'],
    [links > 0 && links < 3, 10, 'It contains a link'],
    [links >= 3, links >= 10 ? 60 : 40, `It contains ${links} links`],
    [hasLinkInName, 90, 'A name contains a link'],
    [hasMarkup, 60, 'It contains markup for links'],
    [texts.some(({ text }) => hasRandomLetters(text)), 55, 'It contains random letters'],
    [signs.isRepeated, links ? 90 : 50, 'The same text came from several networks'],
    [signs.isFrequent, 45, 'Many submissions came from this network'],
    [signs.hasHiddenOrigin, 10, 'The browser hides which site it came from'],
  ]
  const signsFound = found.filter(([is]) => is)
  return {
    score: signsFound.reduce((sum, [, points]) => sum + points, 0),
    reasons: signsFound.map(([, , reason]) => reason),
  }
}

const faults: Record<TokenFault, [number, string]> = {
  missing: [60, 'It was not sent by the form'],
  plain: [30, 'A plain HTML form sent it, without a token'],
  invalid: [60, 'Its token is not valid'],
  used: [45, 'Its token was used before, for something else'],
}

const isPersonName = (name: string) => /name/.test(name) && !/company|organi[sz]ation|business|firm/.test(name)

/** Long words that keep changing between small and capital letters, or have no vowel. Addresses may look like that. */
const hasRandomLetters = (text: string) =>
  (text.replace(/(https?:\/\/|www\.)\S*/gi, '').match(/[a-z]{8,60}/gi) ?? []).some((word) => {
    const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
    const changes = word.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0
    return vowels === 0 || (changes >= 5 && vowels / word.length < 0.3)
  })

/**
 * Limits of forms and chats. A network has a smaller share than the form, so that one sender cannot use up what all
 * others need. Repeated texts are remembered by each process.
 */
export function createRates(share: Share = unshared) {
  const ofForm = share('form', createBuckets({ perSecond: 5, burst: 50 }))
  const ofNetwork = share('form network', createBuckets({ perSecond: 1, burst: 20 }))
  const ordinary = share('form ordinary', createBuckets({ perSecond: 0.05, burst: 5 }))
  const texts = new Map<string, { networks: Set<string>; until: number }>()
  return {
    /** Seconds to wait; 0 if it may pass. */
    wait: (source_id: string, ip: string) => ofNetwork.take(`${source_id} ${network(ip)}`) || ofForm.take(source_id),
    isFrequent: (source_id: string, ip: string) => ordinary.take(`${source_id} ${network(ip)}`) > 0,
    /** Whether several networks have sent this text today. Short texts are the same by chance. */
    isRepeated(source_id: string, ip: string, text: string, now: Date) {
      const folded = text
        .toLowerCase()
        .replace(/[\s\d]+/g, ' ')
        .trim()
      if (folded.length < shortestRepeated) return false
      const key = sha256(`${source_id} ${folded}`).toString('base64url')
      const known = texts.get(key)
      const seen =
        known && known.until > now.getTime() ? known : { networks: new Set<string>(), until: now.getTime() + dayMs }
      if (seen.networks.size < mostNetworks) seen.networks.add(network(ip))
      // The one that was sent last is the last to be forgotten.
      texts.delete(key)
      texts.set(key, seen)
      if (texts.size > mostTexts) texts.delete(texts.keys().next().value!)
      return seen.networks.size >= mostNetworks
    },
  }
}
export type Rates = ReturnType<typeof createRates>
