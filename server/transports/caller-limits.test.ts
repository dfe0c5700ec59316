import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { stillClock } from '../../test/still-clock.ts'

const few = { perSecond: 1, burst: 3 }
const wrongKey = 'x'.repeat(64)
let clock: ReturnType<typeof stillClock>
beforeEach(() => {
  clock = stillClock()
})

const statuses = async (count: number, send: (i: number) => Promise<Response>) => {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await send(i)).status)
  return seen
}

describe('wrong keys', async () => {
  const kith = await testApp({ rateLimits: { wrongKey: few } })
  const me = (key: string) => kith.send('/api/v1/me', { headers: { 'x-api-key': key } })

  test('are limited per network, with Retry-After', async () => {
    expect(await statuses(4, () => me(wrongKey))).toEqual([401, 401, 401, 429])
    const refused = await me(wrongKey)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit-policy')).toBe('"network";q=1;w=1')
    expect(refused.headers.get('content-type')).toContain('application/problem+json')
  })

  test('do not slow down a known key in the same network', async () => {
    const key = await kith.given.key(await kith.given.company())
    clock.pass(1000)
    expect((await me(key)).status).toBe(200)
    expect(await statuses(3, () => me(wrongKey))).toContain(429)
    expect(await statuses(5, () => me(key))).toEqual([200, 200, 200, 200, 200])
  })

  test('that are malformed need no query and always get the same response', async () => {
    expect(await statuses(6, () => me('short'))).toEqual([401, 401, 401, 401, 401, 401])
  })
})

test('strangers are limited by network', async () => {
  const kith = await testApp({ rateLimits: { stranger: few } })
  const session = () => kith.send('/app/api/session')
  expect(await statuses(4, session)).toEqual([200, 200, 200, 429])
})

test('a session is limited, regardless of its user’s keys and tabs', async () => {
  const kith = await testApp({ rateLimits: { session: few } })
  const cookie = `kith_session=${await kith.given.session(await kith.given.company())}`
  expect(await statuses(4, () => kith.send('/app/api/me', { headers: { cookie } }))).toEqual([200, 200, 200, 429])
})

test('a company is limited over all its users and keys, and another company is not', async () => {
  const kith = await testApp({ rateLimits: { company: few } })
  const admin = await kith.given.company()
  const member = await kith.given.user(admin)
  const keys = [await kith.given.key(admin), await kith.given.key(member)]
  const me = (key: string) => kith.send('/api/v1/me', { headers: { 'x-api-key': key } })
  expect(await statuses(4, (i) => me(keys[i % 2]!))).toEqual([200, 200, 200, 429])
  expect((await me(await kith.given.key(await kith.given.company()))).status).toBe(200)
})
