import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { patience, runs, seed } from '../../test/random.ts'
import { asOf, type Dump, dump, expectDerived } from '../../test/records/dump.ts'
import { companyToWrite, kinds, step, take, valuesOf } from '../../test/records/steps.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const sequences = runs(10)
const length = 18

describe('whatever is written', () => {
  test(
    'follows from what was entered, and undone, one by one or all at once, everything is as it was',
    async () => {
      let undone = 0
      const lists = fc.sample(fc.array(step, { minLength: length, maxLength: length }), { seed, numRuns: sequences })
      for (const [i, steps] of lists.entries()) {
        const writer = await companyToWrite(kith)
        const { api, company_id } = writer
        const now = async () => {
          const all = await dump(kith, company_id)
          await expectDerived(kith, company_id, all)
          return all
        }
        for (const kind of kinds) {
          const values = fc.sample(valuesOf[kind], { seed: seed + i, numRuns: 5 })
          for (const one of values) await take(kith, writer, { kind, act: 'create', at: [0], values: [one] })
        }
        const done: { id: string; before: Dump; what: string }[] = []
        let before = await now()
        for (const one of steps) {
          const id = await take(kith, writer, one)
          const after = await now()
          const what = JSON.stringify(one)
          if (id) done.push({ id, before, what })
          else expect(after, `refused: ${what}`).toEqual(before)
          before = after
        }
        undone += done.length
        const whole = {
          ids: done.map(({ id }) => id),
          before: done[0]!.before,
          what: steps.map((one) => one.act).join(),
        }
        const each = done.toReversed().map(({ id, ...rest }) => ({ ids: [id], ...rest }))
        for (const { ids, before, what } of i % 2 ? [whole] : each) {
          const { left } = await api.undoChanges({ change_set_ids: ids })
          expect(left, what).toEqual([])
          expect(asOf(await now(), before), `undone: ${what}`).toEqual(before)
        }
      }
      expect(undone).toBeGreaterThan(sequences * 5)
    },
    patience,
  )

  test('can be undone and that undone in turn', async () => {
    const { api, company_id } = await companyToWrite(kith)
    const { records } = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Ada', emails: ['a@x.com'], score: 1 }],
    })
    const { id } = records[0]!
    await api.updateRecords({ object: 'people', records: [{ id, values: { score: 2, emails: ['b@x.com'] } }] })
    const before = await dump(kith, company_id)
    const since = new Date(kith.time.now.getTime() - 1000).toISOString()
    const { change_set_id } = await api.undoChanges({ since })
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 0 })
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(await dump(kith, company_id)).toEqual(before)
  })
})
