// How much a submission looks like spam. No sign alone decides: password managers fill hidden fields, people paste links.
import { network } from '../platform/network.ts'
import { createBuckets } from '../platform/token-buckets.ts'
import type { FormToken } from './tokens.ts'

/** From here on a person must press a button or the page must solve a puzzle. */
export const suspicious = 40

const fastestMs = 3000
const oldestMs = 24 * 3_600_000

type Signs = {
  /** undefined: none was sent; null: one that is not ours. */
  token: FormToken | undefined | null
  isPlain: boolean
  isTrapFilled: boolean
  hasHiddenOrigin: boolean
  isFrequent: boolean
  texts: { name: string; text: string }[]
  now: Date
}

export function spamScore(signs: Signs) {
  const { token, texts, now } = signs
  const links = texts.reduce((sum, { text }) => sum + (text.match(/https?:\/\/|www\./gi)?.length ?? 0), 0)
  const hasLinkInName = texts.some(({ name, text }) => /name/.test(name) && /https?:\/\/|www\./i.test(text))
  const hasMarkup = texts.some(({ text }) => /<a\s|\[url|\[link/i.test(text))
  const age = token ? now.getTime() - token.issued.getTime() : 0
  const found: [boolean, number, string][] = [
    [signs.isTrapFilled, 45, 'A field was filled that people do not see'],
    [token === undefined && !signs.isPlain, 60, 'It was not sent by the form'],
    [token === undefined && signs.isPlain, 30, 'A plain HTML form sent it, without a token'],
    [token === null, 60, 'Its token is not valid'],
    [!!token && !token.isConfirmed && age < fastestMs, 45, 'It was filled in within 3 seconds'],
    [!!token && age > oldestMs, 20, 'Its token is older than a day'],
    [links > 0 && links < 3, 10, 'It contains a link'],
    [links >= 3, 40, `It contains ${links} links`],
    [hasLinkInName, 60, 'A name contains a link'],
    [hasMarkup, 60, 'It contains markup for links'],
    [signs.isFrequent, 45, 'Many submissions came from this network'],
    [signs.hasHiddenOrigin, 10, 'The browser hides which site it came from'],
  ]
  const signsFound = found.filter(([is]) => is)
  const total = signsFound.reduce((sum, [, points]) => sum + points, 0)
  // A second click by a person counts as much as a puzzle.
  return {
    score: token?.isConfirmed ? Math.max(0, total - 60) : total,
    reasons: signsFound.map(([, , reason]) => reason),
  }
}

/**
 * Limits of a form, in this process. A network has a smaller share than the form, so that one sender cannot use up what
 * all others need.
 */
export function createRates() {
  const ofForm = createBuckets({ perSecond: 5, burst: 50 })
  const ofNetwork = createBuckets({ perSecond: 1, burst: 20 })
  const ordinary = createBuckets({ perSecond: 0.05, burst: 5 })
  return {
    /** Seconds to wait; 0 if it may pass. */
    wait: (source_id: string, ip: string) => ofNetwork.take(`${source_id} ${network(ip)}`) || ofForm.take(source_id),
    isFrequent: (source_id: string, ip: string) => ordinary.take(`${source_id} ${network(ip)}`) > 0,
  }
}
export type Rates = ReturnType<typeof createRates>
