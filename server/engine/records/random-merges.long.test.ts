// Covers: server/engine/records server/engine/write server/engine/history/undo server/engine/names
// Random merges, edits, deletions and undos, compared with a plain model of what each ID must find.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { patience, runs, seed } from '../../../test/random.ts'
import { ApiError } from '../../../web/client/api.ts'

const kith = await testApp()
const object = 'people'

const acts = [
  'create',
  'edit',
  'edit',
  'merge',
  'merge',
  'merge',
  'delete',
  'restore',
  'purge',
  'undo',
  'undo',
  'undo',
] as const
const steps = fc.array(fc.record({ act: fc.constantFrom(...acts), at: fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40)) }), {
  minLength: 8,
  maxLength: 30,
})

type Merge = { merged: string; kept: string; set: string; endedBy: string | undefined }
/** The settings of a value that are in effect, the last one at the end. */
type Setting = { set: string; city: string }
/** What an undo took back, and which setting was the last one then. */
type TakenBack = { id: string; setting: Setting; below: string }

function newModel() {
  const cities = new Map<string, Setting[]>()
  const merges: Merge[] = []
  const undoneBy = new Map<string, string>()
  const takenBack = new Map<string, TakenBack>()
  const edits = new Map<string, string>()
  const sets: string[] = []
  const purged = new Set<string>()
  let alive = new Set<string>()

  /** `of`: the change set that this one undoes. */
  function after(set: string | null, now: Set<string>, of?: string) {
    if (set) {
      sets.push(set)
      for (const merge of merges) {
        if (now.has(merge.merged) && !alive.has(merge.merged)) merge.endedBy ??= set
        if (of && !now.has(merge.merged) && alive.has(merge.merged) && merge.endedBy === of) merge.endedBy = undefined
      }
      if (of) {
        for (const [one, by] of undoneBy) if (by === of) undoneBy.delete(one)
        undoneBy.set(of, set)
      }
    }
    alive = now
  }

  /** Whether the edit could be taken back, or put into effect again. Undefined: the change set was no edit. */
  function undoEdit(of: string, set: string | null) {
    const back = takenBack.get(of)
    const id = edits.get(of) ?? back?.id
    const stack = id && cities.get(id)
    if (!stack) return undefined
    if (back) {
      if (stack.at(-1)!.set !== back.below || stack.includes(back.setting)) return false
      stack.push(back.setting)
      return true
    }
    if (stack.at(-1)!.set !== of) return false
    const setting = stack.pop()!
    if (set) takenBack.set(set, { id, setting, below: stack.at(-1)!.set })
    return true
  }

  function found(id: string, seen = new Set<string>()): string | undefined {
    if (alive.has(id)) return id
    const merge = merges.findLast(({ merged, set, endedBy }) => merged === id && !endedBy && !undoneBy.has(set))
    if (!merge || seen.has(id)) return undefined
    return found(merge.kept, seen.add(id))
  }
  return { cities, merges, edits, sets, purged, after, undoEdit, found, isAlive: (id: string) => alive.has(id) }
}

test(
  'after any merges, edits, deletions and undos, each ID finds the right record with the latest values',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const admin = await kith.given.company()
        const api = kith.withKey(await kith.given.key(admin))
        const model = newModel()
        let edit = 0
        const living = async () => {
          const people = kith.db.selectFrom('records').select('id').where('company_id', '=', admin.company_id)
          return new Set((await people.where('deleted_at', 'is', null).execute()).map(({ id }) => id))
        }
        const create = async () => {
          const city = `City ${edit++}`
          const { records, change_set_id } = await api.createRecords({ object, records: [{ last_name: city, city }] })
          model.cities.set(records[0]!.id, [{ set: change_set_id!, city }])
          model.after(change_set_id, await living())
        }
        for (let i = 0; i < 4; i++) await create()
        for (const { act, at } of all) {
          const known = [...model.cities.keys()]
          const chosen = [...new Set(at.map((i) => known[i % known.length]!))]
          if (act === 'create') await create()
          else await allowed(() => take(api, model, act, chosen, at[0] + at[1], () => `City ${edit++}`, living))
          await expectFound(api, model)
        }
      }),
      { seed, numRuns: runs(40) },
    )
  },
  patience * 5,
)

/** A refused call changes nothing, but only these refusals are expected. */
const allowed = (call: () => Promise<unknown>) =>
  call().catch((error) => {
    if (!(error instanceof ApiError && [404, 409, 422].includes(error.problem.status))) throw error
  })

async function take(
  api: Api,
  model: ReturnType<typeof newModel>,
  act: Exclude<(typeof acts)[number], 'create'>,
  [id, ...others]: string[],
  at: number,
  newCity: () => string,
  living: () => Promise<Set<string>>,
) {
  const done = async (set: string | null, of?: string) => model.after(set, await living(), of)
  if (act === 'undo') {
    const of = model.sets[at % model.sets.length]!
    const { change_set_id, left } = await api.undoChanges({ change_set_ids: [of] })
    const isUndone = model.undoEdit(of, change_set_id)
    if (isUndone === false) expect(change_set_id, 'a later edit is kept').toBeNull()
    const edited = isUndone === false && model.edits.get(of)
    if (edited) expect(left).toMatchObject([{ field: model.purged.has(edited) ? null : 'city' }])
    return done(change_set_id, of)
  }
  if (act === 'purge') {
    await api.purgeRecords({ object, ids: [id!] })
    model.purged.add(id!)
    return done(null)
  }
  if (act === 'delete') return done((await api.deleteRecords({ object, ids: [id!] })).change_set_id)
  if (act === 'restore') return done((await api.restoreRecords({ object, ids: [id!] })).change_set_id)
  if (act === 'edit') {
    const city = newCity()
    const { change_set_id } = await api.updateRecords({ object, records: [{ id: id!, values: { city } }] })
    model.cities.get(id!)!.push({ set: change_set_id!, city })
    model.edits.set(change_set_id!, id!)
    return done(change_set_id)
  }
  if (!others.length) return
  const { change_set_id: set } = await api.mergeRecords({ object, id: id!, merge: others }).catch((error) => {
    const dead = [id!, ...others].find((one) => !model.isAlive(one))
    const instead = dead && model.found(dead)
    if (instead && error instanceof ApiError) expect(error.problem.detail).toContain(instead)
    throw error
  })
  model.merges.push(...others.map((merged) => ({ merged, kept: id!, set: set!, endedBy: undefined })))
  return done(set)
}

async function expectFound(api: Api, model: ReturnType<typeof newModel>) {
  const ids = [...model.cities.keys()]
  const expected = ids.map((id) => [id, model.found(id)] as const)
  const { records, missing } = await api
    .getRecords({ object, ids, fields: ['city'] })
    .catch(() => ({ records: [], missing: ids }))
  const got = new Map(records.map(({ id, merged_from, city }) => [merged_from ?? id, [id, city]]))
  expect(got).toEqual(
    new Map(expected.flatMap(([id, to]) => (to ? [[id, [to, model.cities.get(to)!.at(-1)!.city]]] : []))),
  )
  expect(new Set(missing)).toEqual(new Set(expected.flatMap(([id, to]) => (to ? [] : [id]))))
}
