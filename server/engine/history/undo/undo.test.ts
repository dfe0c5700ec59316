import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { patience, runs, seed } from '../../../../test/random.ts'
import { asOf, type Dump, dump, expectDerived } from '../../../../test/records/dump.ts'
import { companyToWrite, kinds, step, take, valuesOf } from '../../../../test/records/steps.ts'

const kith = await testApp()
const sequences = runs(10)
const length = 18

describe('every write', () => {
  test(
    'derives all stored data from the input, and undoing, one by one or together, restores everything',
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

  test('can be undone, and the undo can be undone', async () => {
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

  test('names the change set that undid it, until that is undone', async () => {
    const { api } = await companyToWrite(kith)
    const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', score: 1 }] })
    const { id } = records[0]!
    for (const score of [2, 3]) await api.updateRecords({ object: 'people', records: [{ id, values: { score } }] })
    const sets = async () => (await api.listChanges({ record_id: id })).items
    const undoneBy = async () => (await sets()).map(({ undone_by }) => undone_by).reverse()
    const [third, second] = (await sets()).map((set) => set.id) as [string, string]
    await api.undoChanges({ change_set_ids: [third, second], dry_run: true })
    expect(await undoneBy()).toEqual([null, null, null])
    const { change_set_id: undone } = await api.undoChanges({ change_set_ids: [third, second] })
    expect(await undoneBy()).toEqual([null, undone, undone, null])
    const { change_set_id: redone } = await api.undoChanges({ change_set_ids: [undone!] })
    expect(await undoneBy()).toEqual([null, null, null, redone, null])
    expect(await api.getRecord({ object: 'people', id })).toMatchObject({ score: 3 })
  })
})

describe('undoing twice', () => {
  test('says that it is already undone, unless someone changed it since', async () => {
    const { api } = await companyToWrite(kith)
    const made = await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', score: 1 }] })
    const { id } = made.records[0]!
    const edited = await api.updateRecords({ object: 'people', records: [{ id, values: { score: 2 } }] })
    const deleted = await api.deleteRecords({ object: 'people', ids: [id] })
    const undo = (change_set_id: string | null) => api.undoChanges({ change_set_ids: [change_set_id!] })
    const again = { undone: 0, change_set_id: null, left: [{ record_id: id, reason: 'It is already undone' }] }
    await undo(deleted.change_set_id)
    expect(await undo(deleted.change_set_id)).toMatchObject(again)
    await undo(edited.change_set_id)
    expect(await undo(edited.change_set_id)).toMatchObject(again)
    await api.updateRecords({ object: 'people', records: [{ id, values: { score: 3 } }] })
    expect((await undo(edited.change_set_id)).left).toMatchObject([{ reason: 'It was changed again later' }])
    const other = await api.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
    await undo(other.change_set_id)
    expect((await undo(other.change_set_id)).left).toMatchObject([{ reason: 'It is already undone' }])
  })
})

describe('a unique value', () => {
  test('can move between records in one call, also in a dry run', async () => {
    const { api, company_id } = await companyToWrite(kith)
    const { records } = await api.createRecords({ object: 'people', records: [{ badge: 1 }, { badge: 2 }] })
    const [a, b] = records.map(({ id }) => id) as [string, string]
    const swap = [
      { id: a, values: { badge: 2 } },
      { id: b, values: { badge: 1 } },
    ]
    for (const dry_run of [true, false]) {
      const { records } = await api.updateRecords({ object: 'people', records: swap, dry_run })
      const [first, second] = dry_run
        ? [
            { from: 1, to: 2 },
            { from: 2, to: 1 },
          ]
        : [2, 1]
      expect(records).toMatchObject([{ badge: first }, { badge: second }])
    }
    await expectDerived(kith, company_id)
    const both = [
      { badge: 1, emails: ['a@x.com'] },
      { badge: 2, emails: ['b@x.com'] },
    ]
    await api.upsertRecords({ object: 'people', match_on: 'badge', records: both })
    const onward = [
      { badge: 1, emails: ['c@x.com'] },
      { badge: 3, emails: ['a@x.com'] },
    ]
    await api.upsertRecords({ object: 'people', match_on: 'badge', records: onward, lists: 'replace' })
    await expectDerived(kith, company_id)
  })

  test.each([true, false])('returns to its previous record when everything is undone together', async (isTrashed) => {
    const { api, company_id } = await companyToWrite(kith)
    const made = await api.createRecords({ object: 'people', records: [{ badge: 7 }, { badge: 8 }] })
    const [a, b] = made.records.map(({ id }) => id) as [string, string]
    const before = await dump(kith, company_id)
    const freed = isTrashed
      ? await api.deleteRecords({ object: 'people', ids: [a] })
      : await api.updateRecords({ object: 'people', records: [{ id: a, values: { badge: null } }] })
    const taken = await api.updateRecords({ object: 'people', records: [{ id: b, values: { badge: 7 } }] })
    const again = await api.createRecords({ object: 'people', records: [{ badge: 8 }] })
    const sets = [freed, taken, again].map(({ change_set_id }) => change_set_id!)
    expect(await api.undoChanges({ change_set_ids: sets })).toMatchObject({ undone: 3, left: [] })
    expect(asOf(await dump(kith, company_id), before)).toEqual(before)
    await expectDerived(kith, company_id)
  })

  test('now used by another record keeps only its own record from being undone', async () => {
    const { api, company_id } = await companyToWrite(kith)
    const made = await api.createRecords({ object: 'people', records: [{ badge: 7 }, { badge: 8, score: 1 }] })
    const [a, b] = made.records.map(({ id }) => id) as [string, string]
    const { change_set_id } = await api.updateRecords({
      object: 'people',
      records: [
        { id: a, values: { badge: 1 } },
        { id: b, values: { score: 2 } },
      ],
    })
    const { records } = await api.createRecords({ object: 'people', records: [{ badge: 7 }] })
    for (const dry_run of [true, false]) {
      const answer = await api.undoChanges({ change_set_ids: [change_set_id!], dry_run })
      expect(answer).toMatchObject({ undone: 1, left: [{ record_id: a, field: 'badge' }] })
      expect(answer.left[0]!.reason).toMatch(/7 is already used by .+/)
      expect(answer.left[0]!.reason).toContain(records[0]!.id)
    }
    expect(await api.getRecord({ object: 'people', id: a })).toMatchObject({ badge: 1 })
    expect(await api.getRecord({ object: 'people', id: b })).toMatchObject({ score: 1 })
    await expectDerived(kith, company_id)
  })
})
