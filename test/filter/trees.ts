// Random filters: any tree that the language can say, and trees that fit the fields of the test company.
import fc from 'fast-check'
import {
  type Filter,
  type FilterField,
  type FilterObjects,
  type Op,
  operators,
  operatorsOf,
  ops,
  ranges,
  type Value,
} from '../../contract/filter/index.ts'

const odd = [
  'me',
  'Me',
  'now',
  'today',
  'this_week',
  'true',
  'FALSE',
  '12',
  '-3',
  '1.5',
  '-14d',
  'and',
  '14d',
  'a b',
  '',
  '"',
  '\\',
  '\n',
]
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((s) => !s.includes('\0')),
  fc.constantFrom(
    ...odd,
    '2026-01-01',
    '2026-01-01T10:00:00Z',
    'München',
    'a-b/c',
    '007',
    '`',
    "'",
    'a\\nb',
    '1e5',
    '+5',
    '½',
  ),
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -9e15, max: 9e15 }),
  fc.constantFrom(0, 1e-7, -1.5e-9, 5e-324, 123456789012345, 9007199254740991),
)
export const relative = fc
  .tuple(
    fc.constantFrom('+', '-'),
    fc.oneof({ weight: 3, arbitrary: fc.nat(9) }, fc.nat(400)),
    fc.constantFrom('min', 'h', 'd', 'w', 'mo', 'q', 'y'),
  )
  .map((parts) => parts.join(''))
export const durations = relative.filter((r) => !/\d{3}[qy]/.test(r)).map((r) => r.slice(1))
const value: fc.Arbitrary<Value> = fc.oneof(
  text,
  number.map((n) => n || 0),
  fc.boolean(),
  fc.constant({ me: true as const }),
  fc.oneof(fc.constant('now'), relative).map((moment) => ({ relative: moment })),
  fc.constantFrom(...ranges).map((range) => ({ range })),
)
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/),
  fc.constantFrom('and', 'IN', 'not', 'any', 'search', 'quiet', 'for'),
)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'))

const condition = fc
  .tuple(path, fc.constantFrom(...ops), fc.array(value, { minLength: 2, maxLength: 4 }))
  .map(([field, op, values]) => withValues(field, op, values))

const nested = (leaf: fc.Arbitrary<Filter>, relation: fc.Arbitrary<string> | undefined) =>
  fc.letrec<{ filter: Filter }>((tie) => {
    const group = fc.array(tie('filter'), { minLength: 2, maxLength: 3 })
    const where = relation && fc.record({ relation, where: tie('filter') })
    return {
      filter: fc.oneof(
        { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
        leaf,
        group.map((and) => ({ and })),
        group.map((or) => ({ or })),
        tie('filter').map((not) => ({ not })),
        ...(where
          ? [
              where.map(({ relation, where }) => ({ any: relation, where })),
              where.map(({ relation, where }) => ({ none: relation, where })),
            ]
          : []),
      ),
    }
  }).filter

/** Any tree, whether or not its fields exist. */
export const anyTree = nested(
  fc.oneof(
    condition,
    text.map((search) => ({ search })),
    durations.map((quiet_for) => ({ quiet_for })),
  ),
  path,
)

// Mostly around one day, where a mistake by one would show; some far away.
const distance = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -8, max: 8 }) },
  fc.integer({ min: -400, max: 400 }),
)
export const days = distance.map((n) => new Date(Date.UTC(2026, 5, 15 + n)).toISOString().slice(0, 10))
export const moments = fc
  .tuple(distance, fc.integer({ min: 0, max: 47 }), fc.constantFrom(-1, 0, 0, 1))
  .map(([day, halfHours, off]) => new Date(Date.UTC(2026, 5, 15 + day, 0, halfHours * 30, 0, off)).toISOString())

const users = ['0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11', '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a22']
export const ids = fc.constantFrom(...users)
export const letters = fc.string({
  unit: fc.constantFrom('a', 'A', 'ä', 'Ä', 'b', 'B', 'ß', 's', ' ', '1'),
  maxLength: 3,
})
export const word = letters.filter((s) => s.trim() !== '')
export const emails = fc
  .tuple(fc.constantFrom('a', 'B', 'c'), fc.constantFrom('x.com', 'Y.com'))
  .map((e) => e.join('@'))
export const phones = fc.constantFrom('+4930123', '+49 30 124', '+1 (555) 0123')

export const countries = fc.constantFrom('DE', 'Germany', 'deutschland', 'us', 'USA', 'France', 'Narnia', 'NARNIA')
export const partsOfCountries = fc.constantFrom('ger', 'AN', 'D', 'nia', 'united', 'de', 'y', 'x')

function operandFor(field: FilterField, op: Op): fc.Arbitrary<Value> {
  if (field.type === 'email') return fc.oneof(emails, fc.constantFrom('@x', 'com', 'A'))
  if (field.type === 'phone') return fc.oneof(phones, fc.constantFrom('30 1', '+49', '123'))
  if (field.type === 'country') return /^(eq|ne|in|not_in)$/.test(op) ? countries : partsOfCountries
  if (field.type === 'number' || field.type === 'money') return fc.integer({ min: -3, max: 3 })
  if (field.type === 'boolean') return fc.boolean()
  if (field.options) return fc.constantFrom(...field.options.map((option) => option.key))
  if (field.type === 'user') return fc.oneof(fc.constant({ me: true as const }), ids)
  if (field.type === 'relation') return ids
  if (field.type !== 'date' && field.type !== 'datetime') return word
  const isList = op === 'in' || op === 'not_in'
  return fc.oneof(
    days,
    fc
      .oneof(
        fc.constant('now'),
        relative.filter((r) => !/\d{3}[qy]/.test(r)),
      )
      .map((moment) => ({ relative: moment })),
    isList ? fc.constantFrom(...ranges).map((range) => ({ range })) : fc.constant({ range: 'today' as const }),
    ...(field.type === 'datetime' ? [moments] : []),
  )
}

export const conditionOn = (field: FilterField, op: Op): fc.Arbitrary<Filter> =>
  fc.array(operandFor(field, op), { minLength: 2, maxLength: 3 }).map((values) => withValues(field.key, op, values))

function withValues(field: string, op: Op, values: Value[]): Filter {
  const { operands } = operators[op]
  if (operands === 'none') return { field, op }
  if (operands === 'one') return { field, op, value: values[0]! }
  return { field, op, value: operands === 'pair' ? values.slice(0, 2) : values.slice(values.length % 2) }
}

const ownCondition = (fields: FilterField[]) =>
  fc
    .constantFrom(...fields.flatMap((field) => operatorsOf(field).map((op) => ({ field, op }))))
    .chain(({ field, op }) => conditionOn(field, op))

/** Trees of conditions on the object's own fields. */
export const ownTree = (objects: FilterObjects, root: string) => {
  const quiet = durations.map((quiet_for) => ({ quiet_for }))
  const leaf = fc.oneof({ weight: 9, arbitrary: ownCondition(objects[root]!.fields) }, quiet)
  return nested(leaf, undefined)
}
