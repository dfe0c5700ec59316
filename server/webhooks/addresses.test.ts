// Webhooks do not lead inside: asserted when one is saved, at the lookup and at the connection. Nothing is dialed.
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testApp } from '../../test/app.ts'
import { inside, urlAt } from '../../test/inside-addresses.ts'
import { createOutbound } from '../platform/public-fetch.ts'
import { signingKey } from '../platform/standard-webhooks.ts'
import { attempt } from './attempt.ts'

const otherNotations = [
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://0/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  `https://${'user:pass'}@1.1.1.1/`,
  'https://user@example.com/',
  'https://1.1.1.1:22/',
  'https://1.1.1.1:6379/',
  'http://1.1.1.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
]
const literals = [...inside.map(urlAt), ...otherNotations]

/** `inside-3.example` has the fourth address; `mixed-3.example` also a public one; the others do not exist. */
const lookup = vi.fn(async (host: string) => {
  const [, kind, index] = /^(inside|mixed)-(\d+)\.example$/.exec(host) ?? []
  if (!kind) throw new Error('ENOTFOUND')
  const address = inside[Number(index)]!
  const found = { address, family: address.includes(':') ? 6 : 4 }
  return kind === 'inside' ? [found] : [{ address: '93.184.215.14', family: 4 }, found]
})
const outbound = createOutbound('', lookup)
const kith = await testApp({ outbound })

let dialed: unknown[]
beforeEach(() => {
  dialed = []
  const connect = Socket.prototype.connect
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [options] = [given[0]].flat() as { host?: string; port?: number; path?: string }[]
    // What other files of this worker left open may reach for their servers, on ports that the system chose.
    if (typeof options === 'object' && !options.path && Number(options.port) < 10_000) dialed.push(options)
    return connect.apply(this, given as never)
  } as never)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const send = (target_url: string) =>
  attempt(
    outbound.fetch,
    { target_url, keys: [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')], headers: {} } as never,
    { event_id: 'x', body: '{}' } as never,
    new Date(),
    new AbortController().signal,
  )

test(`${literals.length} forms of addresses are refused when a webhook is saved, and when it is sent`, async () => {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  for (const target_url of literals) {
    const saved = api.createWebhook({ target_url })
    await expect(saved, target_url).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'target_url' }] },
    })
    expect(await send(target_url), target_url).toMatchObject({ is_success: false, status: null })
  }
  expect((await api.listWebhooks({})).items).toEqual([])
  expect([lookup.mock.calls, dialed]).toEqual([[], []])
})

test('names with an address inside are refused at each attempt, in the words for a name that does not exist', async () => {
  const reasons = new Set<string>()
  for (const kind of ['inside', 'mixed', 'unknown'])
    for (const [i] of inside.entries()) {
      const host = `${kind}-${i}.example`
      const { status, reason } = await send(`https://${host}/`)
      expect(status, host).toBeNull()
      reasons.add(reason!.replace(host, 'HOST'))
    }
  expect([...reasons]).toEqual(['HOST was not found on the public internet. Check the address.'])
  expect(lookup).toHaveBeenCalledTimes(3 * inside.length)
  expect(dialed).toEqual([])
})
