import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMoment } from '../../contract/filter/fields.ts'
import {
  comparable,
  evaluate,
  type Filter,
  type FilterField,
  type MatchValues,
  operatorsOf,
  resolve,
  type Situation,
} from '../../contract/filter/index.ts'
import { runs, seed } from '../random.ts'
import { objects } from './company.ts'
import { fits, here, read, resolved } from './given.ts'
import { type Entered, holds } from './reference.ts'
import { conditionOn, countries, days, emails, ids, moments, ownTree, phones, word } from './trees.ts'

const rates = { currency: 'EUR', rates: { USD: 2 } }

function enteredValue(field: FilterField): fc.Arbitrary<unknown> {
  if (field.type === 'email') return fc.array(emails, { maxLength: 2 })
  if (field.type === 'phone') return fc.array(phones, { maxLength: 2 })
  if (field.type === 'country') return countries
  if (field.type === 'number') return fc.integer({ min: -3, max: 3 })
  if (field.type === 'money')
    return fc.record({
      amount: fc.constantFrom('-2', '1', '1.50', '3'),
      currency: fc.constantFrom('EUR', 'USD', 'XXX'),
    })
  if (field.type === 'boolean') return fc.boolean()
  if (field.type === 'multi_select') return fc.subarray(field.options!.map((option) => option.key))
  if (field.options) return fc.constantFrom(...field.options.map((option) => option.key))
  if (field.type === 'user') return ids
  if (field.type === 'relation') return field.many ? fc.uniqueArray(ids, { maxLength: 2 }) : ids
  if (field.type === 'date') return days
  return field.type === 'datetime' ? moments : word
}

const recordOf = (fields: FilterField[]): fc.Arbitrary<Entered> =>
  fc.record(
    Object.fromEntries(fields.map((field) => [field.key, fc.option(enteredValue(field), { nil: undefined, freq: 3 })])),
  )

const matchOf = (record: Entered, fields: FilterField[]): MatchValues =>
  Object.fromEntries(fields.map((field) => [field.key, comparable(field, record[field.key], rates)]))

const situation = fc.record({
  // Around the days of the values, at the ends of a quarter and a year, and on days when clocks change.
  now: fc
    .constantFrom(
      '2026-06-15T10:30:00Z',
      '2026-06-14T22:00:00Z',
      '2026-06-16T03:59:59.999Z',
      '2026-06-30T23:30:00Z',
      '2026-12-31T12:00:00Z',
      '2026-03-29T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-02-28T18:30:00Z',
    )
    .map((now) => new Date(now)),
  timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC', 'Africa/Cairo'),
  firstWeekday: fc.constantFrom('monday' as const, 'saturday' as const, 'sunday' as const),
  me: fc.constant(here.me),
})

function agree(tree: Filter, root: string, record: Entered, when: Situation) {
  const { fields } = objects[root]!
  const result = resolve(read(tree, root).checked, when)
  if (!('resolved' in result)) throw new Error('not resolved')
  const answer = evaluate(result.resolved, matchOf(record, fields))
  expect(answer).toBe(holds(tree, record, fields, when))
  return answer
}

const kinds = Object.values(objects)
  .flatMap(({ key, fields }) =>
    fields.map((field) => ({ root: key, field, type: `${field.type}${field.many ? ' to many' : ''}` })),
  )
  .filter(({ type }, i, all) => all.findIndex((one) => one.type === type) === i)
const each = kinds.flatMap(({ root, field, type }) => operatorsOf(field).map((op) => ({ root, field, type, op })))

test.each(each)('$type $op answers as a plain evaluator does, both ways', ({ root, field, op }) => {
  const seen = new Set<unknown>()
  const both = fc.property(conditionOn(field, op), recordOf([field]), situation, (tree, record, when) => {
    seen.add(agree(tree, root, record, when))
  })
  // Where one answer is rare, more cases, so that both are seen with any seed.
  for (let more = 0; more === 0 || (seen.size < 2 && more < 20); more++)
    fc.assert(both, { seed: seed + more, numRuns: Math.max(150, runs(isMoment(field) ? 400 : 150)) })
  expect(seen).toEqual(new Set([true, false]))
})

test.each(Object.keys(objects))('random filters on %s answer as a plain evaluator does', (root) => {
  fc.assert(
    fc.property(ownTree(objects, root), recordOf(objects[root]!.fields), situation, (tree, record, when) => {
      agree(tree, root, record, when)
    }),
    { seed, numRuns: runs(800) },
  )
})

test('not is the exact opposite, whatever the filter and the record', () => {
  const { fields } = objects.people!
  fc.assert(
    fc.property(ownTree(objects, 'people'), recordOf(fields), (tree, record) => {
      const values = matchOf(record, fields)
      expect(evaluate(resolved({ not: tree }), values)).toBe(!evaluate(resolved(tree), values))
    }),
    { seed, numRuns: runs(1000) },
  )
})

test('what the record alone cannot decide returns ask', () => {
  for (const text of [
    'organization.country = DE',
    'any(deals: amount > 5)',
    'none(tasks: status = open)',
    'search("x")',
    'deals is empty',
  ])
    expect(fits(text, {})).toBe('ask')
  expect(fits('deals is empty', { deals: [] })).toBe(true)
})

test('returns a result if the rest decides', () => {
  expect(fits('score > 5 and search("x")', { score: 1 })).toBe(false)
  expect(fits('score > 5 and search("x")', { score: 9 })).toBe('ask')
  expect(fits('score > 5 or search("x")', { score: 9 })).toBe(true)
  expect(fits('not (score > 5 or search("x"))', { score: 1 })).toBe('ask')
})

test('no condition matches every record', () => expect(fits('', {})).toBe(true))

test('a field with the name of an inherited property is empty unless it has a value', () => {
  const path = [{ objects: ['people'], field: { key: 'constructor', label: 'Builder', type: 'text' as const } }]
  expect(evaluate({ kind: 'test', path, test: { kind: 'present' } }, {})).toBe(false)
})
