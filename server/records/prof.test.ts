import fc from 'fast-check'
import { test } from 'vitest'
import { print } from '../../contract/filter/index.ts'
import { testApp } from '../../test/app.ts'
import { fits } from '../../test/records/fits.ts'
import { treesOf } from '../../test/records/trees.ts'
import { givenWorld } from '../../test/records/world.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
test('x', async () => {
  let t = performance.now()
  const lap = (w: string) => {
    console.log(w, Math.round(performance.now() - t))
    t = performance.now()
  }
  const { api, users, world } = await givenWorld(kith, {
    zone: 'Europe/Berlin',
    firstWeekday: 'monday',
    seed: 20262617,
  })
  lap('world')
  const known = { ids: world.records.map(({ id }) => id), users: users.map(({ user_id }) => user_id) }
  const list = fc.sample(treesOf(world.scope, known, 'people'), { seed: 20262617, numRuns: 60 })
  lap('gen')
  let n = 0
  for (const f of list)
    for (const r of world.records.filter((r) => r.object === 'people')) n += Number(fits(world, f, r))
  lap('fits ' + n)
  const times: [number, string][] = []
  for (const f of list) {
    const s = performance.now()
    const e = await api.queryRecords({ object: 'people', filter: f as never, limit: 100 }).catch((e) => e)
    if (e instanceof Error) console.log(print(f).slice(0, 600), e.message)
    times.push([performance.now() - s, print(f).slice(0, 300)])
  }
  lap('ask')
  times.sort((a, b) => b[0] - a[0])
  console.log(times.slice(0, 4), times[30])
  console.log(
    kith.logged
      .filter((l) => l.includes('a request failed'))
      .slice(0, 2)
      .map((l) => l.slice(0, 1500))
      .join('\n'),
  )
}, 120_000)
