// Checks that the public address reaches this Kith, through a proxy if there is one.
import { request } from 'node:https'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { type Finding, failed, ok, warning, wordsOf } from './finding.ts'
import { type Answer, ask, codeIn, isThisKith, loopbackOf } from './http.ts'

const check = 'Address'
type Settings = Pick<Config, 'baseUrl' | 'trustProxy' | 'host' | 'port'>

/** Can also be checked while Kith is stopped. */
export function checkHttps({ baseUrl, trustProxy }: Settings): Finding | null {
  if (baseUrl.protocol !== 'https:' || trustProxy) return null
  const advice =
    'Set TRUST_PROXY=1 and configure the proxy to send X-Forwarded-For and X-Forwarded-Proto. Otherwise every visitor appears to come from the proxy.'
  return failed(check, `BASE_URL is ${baseUrl.origin}, but TRUST_PROXY is not set`, advice)
}

export async function checkAddress(config: Settings, db: Db): Promise<Finding> {
  const { origin } = config.baseUrl
  return (
    checkHttps(config) ??
    (await checkReach(origin, config)) ??
    (await checkPage(origin, config)) ??
    (await checkIdentity(origin, db)) ??
    (await checkForwardedProto(config)) ??
    ok(check, `${origin} reaches this Kith`)
  )
}

async function checkReach(origin: string, config: Settings): Promise<Finding | null> {
  for (const path of ['/livez', '/readyz']) {
    let answer: Answer
    try {
      answer = await ask(origin + path)
    } catch (error) {
      const advice = `Check BASE_URL, its DNS entry, its certificate and the proxy in front of ${loopbackOf(config)}. If the address works from other machines, this machine cannot reach its own public address.`
      return failed(check, `${origin} cannot be reached from this machine: ${wordsOf(error)}`, advice)
    }
    if (answer.location) return redirects(origin, answer)
    if (answer.status === 200) continue
    const advice = `Configure the proxy to forward every path to ${loopbackOf(config)}.`
    return failed(check, `${origin}${path} returns ${answer.status} instead of 200`, advice)
  }
  return null
}

function redirects(origin: string, { location }: Answer) {
  const to = URL.parse(location!, origin)?.origin ?? 'another address'
  return failed(check, `${origin} redirects to ${to}`, 'Set BASE_URL to the address that people are redirected to.')
}

/** The start page must be the same with and without the proxy, except for its nonce. */
async function checkPage(origin: string, config: Settings): Promise<Finding | null> {
  const [through, direct] = await Promise.all([ask(`${origin}/`), ask(`${loopbackOf(config)}/`)])
  if (through.location) return redirects(origin, through)
  if (codeIn(through) === 'untrusted_host') {
    const advice =
      'Configure the proxy to forward the Host header unchanged (nginx: proxy_set_header Host $host; Apache: ProxyPreserveHost On).'
    return failed(check, `${origin} reaches Kith with another Host header (400 untrusted_host)`, advice)
  }
  if (through.status === direct.status && withoutNonce(through) === withoutNonce(direct)) return null
  const advice = 'Configure the proxy to forward pages unchanged and uncached, and check BASE_URL.'
  return failed(check, `${origin}/ is not the start page of this Kith (${through.status})`, advice)
}

const withoutNonce = ({ text }: Answer) => {
  const nonce = /<meta name="csp-nonce" content="([^"]+)"/.exec(text)?.[1]
  return nonce ? text.replaceAll(nonce, '') : text
}

async function checkIdentity(origin: string, db: Db): Promise<Finding | null> {
  const { isThis, answer } = await isThisKith(origin, db)
  if (isThis) return null
  if (answer.status === 429) {
    return warning(check, `${origin} is receiving too many requests right now`, 'Run the doctor again in five minutes.')
  }
  const advice = 'Another Kith answers there, or the proxy blocks POST requests. Check BASE_URL and the proxy.'
  return failed(check, `${origin} does not reach this Kith (${answer.status})`, advice)
}

/**
 * With the default port in the Host header, Kith accepts our Origin only if it knows that the visitor used HTTPS.
 * A proxy that drops the port hides a missing header, which then goes unreported.
 */
async function checkForwardedProto({ baseUrl }: Settings): Promise<Finding | null> {
  if (baseUrl.protocol !== 'https:' || baseUrl.port) return null
  const { hostname, origin } = baseUrl
  const code = await new Promise<string | undefined>((resolve, reject) => {
    const headers = { host: `${hostname}:443`, origin }
    const sent = request(`${origin}/`, { headers, timeout: 3000, agent: false }, async (answer) => {
      const text = Buffer.concat((await Array.fromAsync(answer)) as Buffer[]).toString()
      resolve(codeIn({ status: answer.statusCode!, text, location: null }))
    })
    sent.on('timeout', () => sent.destroy(new Error('no response')))
    sent.on('error', reject).end()
  })
  if (code !== 'foreign_origin') return null
  const advice = 'Configure the proxy to send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme).'
  return failed(check, 'The proxy does not report that visitors use HTTPS', advice)
}
