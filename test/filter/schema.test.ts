import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { FilterTextOrJson } from '../../contract/filter/index.ts'
import { filterParser } from '../../scripts/filter-parser.ts'
import { runs, seed } from '../random.ts'
import { faultsOf } from './given.ts'
import { anyTree } from './trees.ts'

test('the JSON notation becomes a short, named JSON schema', () => {
  const input = z.strictObject({
    filter: FilterTextOrJson.describe('Which records'),
    also: FilterTextOrJson.optional(),
  })
  for (const io of ['input', 'output'] as const) {
    const schema = z.toJSONSchema(input, { io })
    expect(schema.required).toEqual(['filter'])
    expect(schema.properties!.filter).toMatchObject({
      description: 'Which records',
      anyOf: [{ type: 'string', maxLength: 10_000 }, { $ref: '#/$defs/Filter' }],
    })
    expect(Object.keys(schema.$defs!)).toEqual(['Filter'])
    expect(JSON.stringify(schema.$defs).length).toBeLessThan(2500)
  }
})

test('the schema accepts every valid JSON filter, and no object of another shape', () => {
  const schema = z.toJSONSchema(z.strictObject({ filter: FilterTextOrJson }))
  const [text, own] = [JSON.stringify(schema), schema.$defs!.Filter!.$defs!]
  // Zod follows references to the outermost definitions only.
  const flat = JSON.parse(text.replaceAll('#/$defs/Filter/$defs/', '#/$defs/'))
  const described = z.fromJSONSchema({ ...flat, $defs: { ...flat.$defs, ...own } })
  const isDescribed = (filter: unknown) => described.safeParse({ filter }).success
  fc.assert(
    fc.property(anyTree, (tree) => {
      expect(isDescribed(tree)).toBe(true)
      expect(isDescribed([tree])).toBe(true)
      expect(isDescribed({ and: [tree] })).toBe(true)
      expect(isDescribed({ not: [tree] })).toBe(true)
      expect(isDescribed({ ...tree, more: 1 })).toBe(false)
    }),
    { seed, numRuns: runs(300) },
  )
})

test('errors in JSON are explained at their path, never as a bare invalid input', () => {
  const faults = faultsOf({
    and: [
      { field: 'a', op: 'eqq', value: 1 },
      { fild: 'x' },
      { or: [] },
      { field: 'b', op: 'in', value: [{ range: 'this_qarter' }] },
      { field: 'c', op: 'between', value: [1] },
      5,
    ],
  } as never)
  expect(faults.map(({ path, message }) => `${path!.join('.')}: ${message}`)).toEqual([
    'and.0.op: There is no operator eqq. Did you mean eq?',
    'and.1: Use {"field":"fild","op":"eq","value":"x"}, or text: fild = "x".',
    'and.2.or: Add a condition to this group, or remove the group.',
    'and.3.value.0.range: There is no range this_qarter. Did you mean this_quarter?',
    'and.4.value: Use a list of two values, the lower first.',
    'and.5: Use an object such as {"field":"status","op":"eq","value":"open"}.',
  ])
})

test('either notation passes unchanged, and is checked once, when it is read', () => {
  for (const filter of ['status = open', [{ search: 'x' }], { or: 5 }, 5, null])
    expect(FilterTextOrJson.parse(filter)).toBe(filter)
  expect(FilterTextOrJson.safeParse(undefined).success).toBe(false)
  expect(faultsOf(5 as never)).toMatchObject([{ message: expect.stringContaining('Use an object') }])
})

test('the generated parser matches the grammar', () => {
  for (const [file, text] of Object.entries(filterParser()))
    expect(
      readFileSync(new URL(`../../contract/filter/${file}`, import.meta.url), 'utf8'),
      'run npm run generate',
    ).toBe(text)
})
