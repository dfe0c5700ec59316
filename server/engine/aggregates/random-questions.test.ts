import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periods, readGrouping } from '../../../contract/aggregates.ts'
import { everything, type Filter, print } from '../../../contract/filter/index.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { patience, runs, seed } from '../../../test/random.ts'
import { type Asked, numbersOf, plainKey } from '../../../test/records/aggregate.ts'
import type { World } from '../../../test/records/fits.ts'
import type { Scope, ScopeField } from '../../../test/records/scope.ts'
import { treesOf } from '../../../test/records/trees.ts'
import { givenWorld, type Place } from '../../../test/records/world.ts'

const kith = await testApp()
const places: Place[] = [
  { zone: 'Europe/Berlin', firstWeekday: 'monday', seed },
  { zone: 'America/St_Johns', firstWeekday: 'sunday', seed: seed + 1000 },
]
const objects = ['people', 'people', 'deals', 'tasks', 'projects', 'organizations']
const questionsEach = runs(6)

const isTime = ({ type }: ScopeField) => type === 'date' || type === 'datetime'
const isNumber = ({ type }: ScopeField) => type === 'number' || type === 'money'
const isGroupable = ({ key, type, from }: ScopeField) =>
  !from && key !== 'id' && !['money', 'long_text', 'boolean', 'file'].includes(type)

function questionsOn(scope: Scope, object: string, filters: fc.Arbitrary<Filter>): fc.Arbitrary<Asked> {
  const fields = scope[object]!.fields.filter(({ from }) => !from)
  const groupable = fields.filter(isGroupable)
  const through = fields.flatMap((field) => {
    const [target, ...others] = field.to ?? []
    if (field.type !== 'relation' || field.many || !target || others.length) return []
    const inner = scope[target]!.fields.filter((one) => isGroupable(one) && one.type !== 'relation')
    return inner.map((one) => ({ ...one, key: `${field.key}.${one.key}` }))
  })
  const group = fc
    .tuple(fc.constantFrom(...groupable, ...through), fc.constantFrom(...periods))
    .map(([field, period]) => (isTime(field) ? `${period}(${field.key})` : field.key))
  const measure = fc.constantFrom(
    ...fields.flatMap((field) => [
      `filled(${field.key})`,
      ...(isNumber(field) ? ['sum', 'average', 'min', 'max'].map((name) => `${name}(${field.key})`) : []),
      ...(isTime(field) ? ['min', 'max'].map((name) => `${name}(${field.key})`) : []),
      ...(isGroupable(field) && !field.multi && !field.many && field.type !== 'multi_select'
        ? [`distinct(${field.key})`]
        : []),
    ]),
  )
  return fc.record({
    object: fc.constant(object),
    filter: fc.oneof(fc.constant(everything), filters),
    measures: fc.array(measure, { maxLength: 3 }).map((list) => ['count', ...new Set(list)]),
    group_by: fc.array(group, { minLength: 1, maxLength: 2 }),
  })
}

/** Texts are told apart as the reference does: by what they compare as. */
function keyAsCompared(world: World, object: string, text: string, key: unknown) {
  if (key === null) return null
  const [first, inner] = readGrouping(text).path.split('.') as [string, string?]
  const field = world.scope[object]!.fields.find((one) => one.key === first)!
  const last = inner ? world.scope[field.to![0]!]!.fields.find((one) => one.key === inner)! : field
  return isTime(last) || last.type === 'relation' ? key : plainKey(world, last, key)
}

async function compare(api: Api, world: World, asked: Asked) {
  const { object, filter, measures, group_by } = asked
  const question = { object, filter: filter as never, measures, group_by }
  const said = `${object}: ${measures.join()} by ${group_by.join()} of ${print(filter)}`
  const answer = await api.aggregateRecords(question)
  const wanted = numbersOf(world, asked)
  const { '': totals, ...groups } = Object.fromEntries(wanted)
  expect(answer.totals, said).toEqual(totals)
  const found = answer.groups.map(({ keys, values }) => [
    JSON.stringify(keys.map((key, i) => keyAsCompared(world, object, group_by[i]!, key))),
    values,
  ])
  expect(Object.fromEntries(found), said).toEqual(groups)
  for (const group of answer.groups.slice(0, 6)) {
    if (group.filter === null) continue
    const text = print(filter) ? `(${print(filter)}) and (${group.filter})` : group.filter
    const { count } = await api.countRecords({ object, filter: text })
    expect(count, `${said}: ${text}`).toBe(group.values.count)
  }
}

describe.each(places)('any question in $zone, weeks from $firstWeekday', (place) => {
  test(
    'has the numbers that a plain reading of the entered values has, and its groups lead to as many records',
    async () => {
      const { api, users, world } = await givenWorld(kith, place)
      const known = { ids: world.records.map(({ id }) => id), users: users.map(({ user_id }) => user_id) }
      const faults: Error[] = []
      for (const [i, object] of objects.entries()) {
        const asked = questionsOn(world.scope, object, treesOf(world.scope, known, object))
        const list = fc.sample(asked, { seed: place.seed + i, numRuns: questionsEach })
        for (const one of list) await compare(api, world, one).catch((error) => void faults.push(error))
      }
      // All are asked, and the plainest of those that went wrong is told.
      if (faults.length) throw faults.toSorted((a, b) => a.message.length - b.message.length)[0]
    },
    patience,
  )
})
