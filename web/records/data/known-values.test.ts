import { expect, test } from 'vitest'
import { builtIn } from '../../../contract/built-in/objects.ts'
import { systemFields } from '../../../contract/built-in/system-fields.ts'
import { asFilterField } from '../../../contract/filter/index.ts'
import { valuesFromTitle } from './create-in-place.ts'
import { createFields, valuesFromFilter, valuesFromForm, valuesFromRecord } from './known-values.ts'
import type { FieldShape, ObjectShape } from './schema.ts'

const field = (given: Partial<FieldShape> & { key: string; type: FieldShape['type'] }) =>
  ({
    label: given.key,
    description: '',
    is_multi: false,
    is_required: false,
    is_unique: false,
    is_read_only: false,
    is_built_in: true,
    is_archived: false,
    options: null,
    to_objects: null,
    default_value: null,
    ...given,
  }) as FieldShape

function object(key: string, fields: FieldShape[], more: Partial<ObjectShape> = {}) {
  const owner = field({ key: 'owner', type: 'user', is_system: true })
  return {
    key,
    label: key,
    fields,
    is_built_in: true,
    titleField: fields.find((one) => one.key === 'name' || one.key === 'title'),
    byKey: new Map([...fields, owner].map((one) => [one.key, one])),
    ...more,
  } as ObjectShape
}

type Key = keyof typeof builtIn
const shipped = (key: Key) =>
  object(
    key,
    builtIn[key].fields.map((one) => field(one as never)),
  )
const scope = (root: Key) => ({
  root,
  objects: {
    [root]: { key: root, label: root, fields: [...shipped(root).fields.map(asFilterField), ...systemFields] },
  },
})
const me = '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11'
const other = '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a22'
const keys = (fields: FieldShape[]) => fields.map(({ key }) => key)

test('every shipped object asks for fields that it has, and all others are in the rest', () => {
  for (const key of Object.keys(builtIn) as Key[])
    for (const isShort of [false, true]) {
      const { first, rest } = createFields(shipped(key), {}, isShort)
      const writable = shipped(key).fields.filter(({ is_read_only }) => !is_read_only)
      expect([key, keys([...first, ...rest]).sort()]).toEqual([key, [...keys(writable), 'owner'].sort()])
      expect(first.length, key).toBeGreaterThan(0)
      expect(first.length, key).toBeLessThan(9)
    }
  expect(keys(createFields(shipped('products'), {}, true).first), 'what a product costs').toContain('price')
  expect(keys(createFields(shipped('deals'), {}).first)).toEqual([
    'name',
    'organization',
    'people',
    'amount',
    'stage',
    'expected_close',
    'owner',
  ])
})

test('what a company made asks for its title and what is required; a renamed key changes nothing', () => {
  const own = object(
    'projects',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'name'].map((key) => field({ key, type: 'text', is_required: key === 'g' })),
    { is_built_in: false },
  )
  expect(keys(createFields(own, {}).first)).toEqual(['name', 'g', 'a', 'b', 'c', 'd'])
  expect(keys(createFields(own, { f: 'x' }).first)).toEqual(['name', 'g', 'a', 'b', 'c', 'd', 'f'])
  const renamed = object('companies', [field({ key: 'web', type: 'text', built_in_key: 'domains' } as never)], {
    built_in_key: 'organizations',
  } as Partial<ObjectShape>)
  expect(keys(createFields(renamed, {}).first)).toEqual(['web'])
})

test('a new record has what a filtered list has in common, and nothing that is only a range', () => {
  const values = (filter: string) => valuesFromFilter(shipped('deals'), filter, scope('deals'), { me, currency: 'EUR' })
  expect(values('stage = negotiation and owner = me')).toEqual({ stage: 'negotiation', owner: me })
  expect(values(`stage in (negotiation) and organization = "${other}" and amount = 5k`)).toEqual({
    stage: 'negotiation',
    organization: other,
    amount: { amount: '5000', currency: 'EUR' },
  })
  expect(values('status = open and amount > 5 and expected_close in this_month')).toEqual({})
  expect(values('stage in (negotiation, proposal) or owner = me')).toEqual({})
  expect(values('organization = "Acme" and nonsense =')).toEqual({})
  expect(values(`people has any ("${other}")`)).toEqual({ people: [other] })
})

test('a new record links to the one it is created from, and to what that one links to', () => {
  const from = (object: Key, record: object) => ({ object: shipped(object), id: me, record: record as never })
  expect(valuesFromRecord(shipped('deals'), from('people', { organization: { id: other } }))).toEqual({
    people: [me],
    organization: other,
  })
  expect(valuesFromRecord(shipped('tasks'), from('people', {}))).toEqual({ about: [me] })
  expect(valuesFromRecord(shipped('people'), from('organizations', {}))).toEqual({ organization: me })
  expect(valuesFromRecord(shipped('people'), from('people', {}))).toEqual({})
  expect(valuesFromRecord(shipped('products'), from('people', {}))).toEqual({})
})

test('what was typed to find a record becomes the name of a new one, or its email address', () => {
  expect(valuesFromTitle(shipped('organizations'), 'Alpenstahl GmbH')).toEqual({ name: 'Alpenstahl GmbH' })
  expect(valuesFromTitle(shipped('people'), 'Nina van Berg')).toEqual({ first_name: 'Nina van', last_name: 'Berg' })
  expect(valuesFromTitle(shipped('people'), 'Nina')).toEqual({ first_name: 'Nina' })
  expect(valuesFromTitle(shipped('people'), 'nina@example.com')).toEqual({ emails: ['nina@example.com'] })
  expect(valuesFromTitle(shipped('notes'), 'Nina')).toEqual({})
})

test('a record created in place begins with what the form around it says', () => {
  const form = { object: shipped('deals'), values: { organization: { id: other, title: 'Acme' }, name: 'Pilot' } }
  const people = form.object.byKey.get('people')!
  expect(valuesFromForm(shipped('people'), people, form)).toEqual({ organization: other })
  const typed = { ...form, values: { organization: 'Acm' } }
  expect(valuesFromForm(shipped('people'), people, typed)).toEqual({})
  expect(valuesFromForm(shipped('organizations'), form.object.byKey.get('organization')!, form)).toEqual({})
})

test('a product that is created on the way asks for its price', () => {
  expect(createFields(shipped('products'), {}, true).first.map(({ key }) => key)).toEqual(['name', 'price'])
})
