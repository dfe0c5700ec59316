import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Filter, print } from '../../../contract/filter/index.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { inTurns, patience, runs, seed } from '../../../test/random.ts'
import { answersOf, asActor } from '../../../test/records/answers.ts'
import { fits, isThere, rank, sorted, type World } from '../../../test/records/fits.ts'
import { treesOf } from '../../../test/records/trees.ts'
import { givenWorld, type Place } from '../../../test/records/world.ts'

const kith = await testApp()
const places: Place[] = [
  { zone: 'Europe/Berlin', firstWeekday: 'monday', seed },
  { zone: 'America/St_Johns', firstWeekday: 'sunday', seed: seed + 1000 },
  { zone: 'Pacific/Chatham', firstWeekday: 'saturday', seed: seed + 2000 },
]
const roots = ['people', 'people', 'organizations', 'deals', 'tasks', 'projects']
const treesEach = runs(120)
const askedEach = runs(6)
/** As many as a statement holds without taking long to plan. */
const together = 40

const sorts: Record<string, string[]> = {
  people: [
    'score',
    'first_name',
    'status',
    'birthday',
    'do_not_contact',
    'c_money',
    'd_number',
    'd_select',
    'd_date',
    'd_user',
    'country',
    'c_country',
  ],
  organizations: ['name', 'size', 'annual_revenue'],
  deals: ['amount', 'stage', 'expected_close', 'closed_at'],
  tasks: ['due_at', 'priority', 'assignee'],
  projects: ['name'],
}
const questionOn = (root: string) =>
  fc.record({
    sort: fc.array(
      fc
        .tuple(fc.constantFrom('', '-'), fc.constantFrom('id', 'created_at', 'owner', ...sorts[root]!))
        .map((one) => one.join('')),
      { maxLength: 3 },
    ),
    limit: fc.constantFrom(4, 100, 100, 100),
    isText: fc.boolean(),
  })
type Question = { sort: string[]; limit: number; isText: boolean }

async function ask(api: Api, object: string, filter: Filter, { sort, limit, isText }: Question) {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = isText
      ? await api.listRecords({ object, filter: print(filter), sort, limit, cursor })
      : await api.queryRecords({ object, filter: filter as never, sort, limit, cursor })
    ids.push(...page.records.map(({ id }) => id))
    if (!page.next_cursor) return ids
    expect(page.records).toHaveLength(limit)
    cursor = page.next_cursor
  }
}

/** By one key alone, those without a value come last, in an order of their own. */
function settled({ scope, records }: World, ids: string[], [key, ...others]: string[]) {
  if (!key || others.length) return ids
  const isEmpty = (id: string) => rank(scope, records.find((one) => one.id === id)!, key.replace('-', '')) === undefined
  const empty = ids.findIndex(isEmpty)
  return empty < 0 ? ids : [...ids.slice(0, empty), ...ids.slice(empty).sort()]
}

async function compare(api: Api, world: World, root: string, filter: Filter, question: Question) {
  const all = world.records.filter((record) => record.object === root && isThere(world, record))
  const wanted = all.filter((record) => fits(world, filter, record))
  const others = all.filter((record) => !wanted.includes(record))
  const ids = (records: typeof all, sort: string[]) => sorted(world, records, sort).map(({ id }) => id)
  const whole = { sort: [], limit: 100, isText: !question.isText }
  const found = await ask(api, root, filter, question)
  const opposite = await ask(api, root, { not: filter }, whole)
  const { count } = await api.countRecords({ object: root, filter: filter as never })
  expect(opposite, `${root}: not (${print(filter)})`).toEqual(ids(others, []))
  expect(count, print(filter)).toBe(wanted.length)
  const { sort } = question
  // Without an order, searched lists begin with the best matches.
  const isRanked = !sort.length && JSON.stringify(filter).includes('"search"')
  const inOrder = (list: string[]) => (isRanked ? list.toSorted() : settled(world, list, sort))
  expect(inOrder(found), `${root}: ${print(filter)} by ${sort}`).toEqual(inOrder(ids(wanted, sort)))
}

describe.each(places)('any filter in $zone, weeks from $firstWeekday', (place) => {
  test(
    'finds what a plain reading of the entered values finds; over the API in any order and pages of any size, `not` the opposite',
    async () => {
      const { api, admin, users, world } = await givenWorld(kith, place)
      const known = { ids: world.records.map(({ id }) => id), users: users.map(({ user_id }) => user_id) }
      const faults: Error[] = []
      for (const [i, root] of roots.entries()) {
        const asked = fc.tuple(treesOf(world.scope, known, root), questionOn(root))
        const list = fc.sample(asked, { seed: place.seed + i, numRuns: treesEach })
        const all = world.records.filter((record) => record.object === root && isThere(world, record))
        for (let from = 0; from < list.length; from += together) {
          const filters = list.slice(from, from + together).map(([filter]) => filter)
          const answers = await answersOf(kith, asActor(admin), world, root, filters)
          for (const [i, filter] of filters.entries()) {
            const wanted = all.filter((record) => fits(world, filter, record)).map(({ id }) => id)
            if (answers[i]!.toSorted().join() !== wanted.toSorted().join())
              faults.push(new Error(`${root}: ${print(filter)}: found ${answers[i]!.length}, not ${wanted.length}`))
          }
        }
        await inTurns(list.slice(0, askedEach), (one) =>
          compare(api, world, root, ...one).catch((error) => void faults.push(error)),
        )
      }
      // All are asked, and the plainest of those that went wrong is told.
      if (faults.length) throw faults.toSorted((a, b) => a.message.length - b.message.length)[0]
    },
    patience,
  )
})
