import { expect, test } from 'vitest'
import { builtIn } from '../../../contract/built-in/objects.ts'
import type { RecordShape } from '../data/records-api.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { type Choice, mergeOf, undecided, withListOf, withPart, withValueOf } from './choice.ts'

function shipped(key: keyof typeof builtIn, owner = { key: 'owner', type: 'user', is_system: true } as FieldShape) {
  const fields = builtIn[key].fields.map((one) => ({ is_built_in: true, ...one }) as unknown as FieldShape)
  return { key, is_built_in: true, fields, byKey: new Map([['owner', owner]]) } as unknown as ObjectShape
}
const people = shipped('people')
const records = [
  { id: 'a', first_name: 'Ada', city: 'London', emails: ['ada@a.example'], do_not_contact: false, owner: 'me' },
  { id: 'b', first_name: 'Ada', city: 'Paris', emails: ['ada@b.example', 'ada@a.example'], birthday: '1980-05-01' },
  { id: 'c', first_name: 'A.', emails: ['a@c.example'], do_not_contact: true, owner: 'you' },
] as unknown as RecordShape[]

const from = (choice: Choice, key: string) => [
  ...mergeOf(people, records, choice).rows.find(({ field }) => field.key === key)!.from,
]
const field = (key: string) => people.fields.find((one) => one.key === key)!

test('the oldest is kept and gets what it lacks, which the server does automatically', () => {
  const { kept, others, values } = mergeOf(people, records, undecided)
  expect([kept.id, others.map(({ id }) => id)]).toEqual(['a', ['b', 'c']])
  expect(values).toEqual({})
  expect(from(undecided, 'city')).toEqual(['a'])
  expect(from(undecided, 'birthday')).toEqual(['b'])
  expect(from(undecided, 'first_name')).toEqual(['a', 'b'])
  expect(from(undecided, 'emails')).toEqual(['a', 'b', 'c'])
  expect(from(undecided, 'do_not_contact')).toEqual(['c'])
})

test('only values that the server would not take are sent', () => {
  const choice = withValueOf(people, undecided, field('city'), 'b')
  expect(mergeOf(people, records, choice).values).toEqual({ city: 'Paris' })
  expect(mergeOf(people, records, { ...choice, keep: 'b' }).values).toEqual({})
  const same = withValueOf(people, undecided, field('first_name'), 'b')
  expect(mergeOf(people, records, same).values).toEqual({})
})

test('a list without the values of one record is sent as a whole, each value once', () => {
  const choice = withListOf(undecided, field('emails'), 'c', false)
  expect(mergeOf(people, records, choice).values).toEqual({ emails: ['ada@a.example', 'ada@b.example'] })
  expect(mergeOf(people, records, withListOf(choice, field('emails'), 'c', true)).values).toEqual({})
})

test('a record that is not part of it gives no values', () => {
  const choice = withPart(withValueOf(people, undecided, field('first_name'), 'c'), 'c', false)
  const { others, apart, values } = mergeOf(people, records, choice)
  expect([others, apart].map((some) => some.map(({ id }) => id))).toEqual([['b'], ['c']])
  expect(values).toEqual({})
  expect(from(choice, 'do_not_contact')).toEqual(['a'])
})

test('the stage of a deal comes with its pipeline', () => {
  const deals = shipped('deals')
  const stage = deals.fields.find(({ key }) => key === 'stage')!
  expect(withValueOf(deals, undecided, stage, 'b').taken).toEqual({ pipeline: 'b', stage: 'b' })
})
