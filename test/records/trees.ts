// Random filters that fit a company's fields: own and related ones, any and none both ways, search.
import fc from 'fast-check'
import { type Filter, type Op, operators, operatorsOf, ranges, type Value } from '../../contract/filter/index.ts'
import { countries, days, durations, moments, partsOfCountries, relative, word } from '../filter/trees.ts'
import { type Scope, type ScopeField, sharedFields, targetsOf } from './scope.ts'

/** What relations and users are compared with. */
export type Known = { ids: string[]; users: string[] }

const depth = 2

export function treesOf(scope: Scope, known: Known, root: string): fc.Arbitrary<Filter> {
  const made = new Map<string, fc.Arbitrary<Filter>>()
  return tree([root], depth)

  function tree(objects: string[], left: number): fc.Arbitrary<Filter> {
    const name = `${left} ${objects}`
    const arbitrary = made.get(name) ?? build(objects, left)
    made.set(name, arbitrary)
    return arbitrary
  }

  function build(objects: string[], left: number): fc.Arbitrary<Filter> {
    const leaf = fc.oneof(
      { weight: 9, arbitrary: condition(objects) },
      { weight: 1, arbitrary: word.map((search) => ({ search })) },
      { weight: 1, arbitrary: durations.map((quiet_for) => ({ quiet_for })) },
    )
    if (left === 0) return leaf
    const group = fc.array(tree(objects, left - 1), { minLength: 2, maxLength: 3 })
    return fc.oneof(
      { weight: 5, arbitrary: leaf },
      { weight: 1, arbitrary: group.map((and) => ({ and })) },
      { weight: 1, arbitrary: group.map((or) => ({ or })) },
      { weight: 1, arbitrary: tree(objects, left - 1).map((not) => ({ not })) },
      { weight: 3, arbitrary: quantified(objects, left) },
    )
  }

  function quantified(objects: string[], left: number): fc.Arbitrary<Filter> {
    const ways = waysFrom(objects).flatMap(({ path, objects }) =>
      sharedFields(scope, objects)
        .filter((field) => field.type === 'relation' && targetsOf(scope, field).length)
        .map((field) => ({ path: [...path, field.key].join('.'), to: targetsOf(scope, field) })),
    )
    if (!ways.length) return condition(objects)
    return fc
      .constantFrom(...ways)
      .chain(({ path, to }) =>
        tree(to, left - 1).chain((where) => fc.constantFrom<Filter>({ any: path, where }, { none: path, where })),
      )
  }

  function condition(objects: string[]): fc.Arbitrary<Filter> {
    const [here, ...others] = waysFrom(objects)
    const way = others.length
      ? fc.oneof({ weight: 3, arbitrary: fc.constant(here!) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
      : fc.constant(here!)
    return way
      .chain(({ path, objects }) => fc.constantFrom(...sharedFields(scope, objects).map((field) => ({ path, field }))))
      .chain(({ path, field }) => conditionOn(field, [...path, field.key].join('.'), known))
  }

  /** Nowhere, then along one and two relations to one record. */
  function waysFrom(objects: string[]) {
    const ways = [{ path: [] as string[], objects }]
    for (const way of ways) {
      if (way.path.length === 2) continue
      for (const field of sharedFields(scope, way.objects)) {
        const to = field.type === 'relation' && !field.many ? targetsOf(scope, field) : []
        if (to.length) ways.push({ path: [...way.path, field.key], objects: to })
      }
    }
    return ways
  }
}

const conditionOn = (field: ScopeField, path: string, known: Known): fc.Arbitrary<Filter> =>
  fc.constantFrom(...operatorsOf(field)).chain((op): fc.Arbitrary<Filter> => {
    const { operands } = operators[op]
    if (operands === 'none') return fc.constant({ field: path, op })
    const one = operandFor(field, op, known)
    if (operands === 'one') return one.map((value) => ({ field: path, op, value }))
    const size = operands === 'pair' ? { minLength: 2, maxLength: 2 } : { minLength: 1, maxLength: 3 }
    return fc.array(one, size).map((value) => ({ field: path, op, value }))
  })

function operandFor(field: ScopeField, op: Op, { ids, users }: Known): fc.Arbitrary<Value> {
  if (field.key === 'id') return fc.oneof(fc.constantFrom(...ids), fc.constantFrom('01', 'a', '7', 'nobody'))
  if (field.options?.length) return fc.constantFrom(...field.options.map(({ key }) => key))
  switch (field.type) {
    case 'email':
      return fc.oneof(emails(30), fc.constantFrom('@x', 'COM', 'a', '1'))
    case 'phone':
      return fc.oneof(phones, fc.constantFrom('30 12', '+49', '123'))
    case 'country':
      return /^(eq|ne|in|not_in)$/.test(op) ? countries : partsOfCountries
    case 'number':
    case 'money':
      return fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1.5))
    case 'boolean':
      return fc.boolean()
    case 'user':
      return fc.oneof(fc.constant({ me: true as const }), fc.constantFrom(...users))
    case 'relation':
      return fc.constantFrom(...ids)
    case 'date':
    case 'datetime':
      return momentFor(field, op)
    default:
      return word
  }
}

function momentFor(field: ScopeField, op: Op): fc.Arbitrary<Value> {
  const isList = op === 'in' || op === 'not_in'
  const near = relative.filter((text) => !/\d{3}[qy]/.test(text))
  return fc.oneof(
    days,
    fc.oneof(fc.constant('now'), near).map((moment) => ({ relative: moment })),
    isList ? fc.constantFrom(...ranges).map((range) => ({ range })) : fc.constant({ range: 'today' as const }),
    ...(field.type === 'datetime' ? [moments] : []),
  )
}

export const emails = (most: number) =>
  fc
    .tuple(fc.constantFrom('a', 'B', 'c'), fc.nat(most), fc.constantFrom('x.com', 'Y.com'))
    .map(([name, number, host]) => `${name}${number}@${host}`)
export const phones = fc.constantFrom('+493012345', '+49 30 12346', '+1 (213) 373-4253', '+493012347')
