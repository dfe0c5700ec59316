import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Filter, fromJson, hasFaults, parse, print } from '../../contract/filter/index.ts'
import { runs, seed } from '../random.ts'
import { objects } from './company.ts'
import { read, treeOf } from './given.ts'
import { anyTree, ownTree } from './trees.ts'

const parsed = (text: string) => {
  const result = parse(text)
  return hasFaults(result) ? result.faults : result.tree
}
const isSmall = (tree: Filter) => !hasFaults(fromJson(tree))

test('a tree printed and parsed is the same tree', () => {
  fc.assert(
    fc.property(anyTree.filter(isSmall), (tree) => {
      expect(parsed(print(tree))).toStrictEqual(tree)
    }),
    { seed, numRuns: runs(1500) },
  )
})

test('a tree sent as JSON is the same tree', () => {
  fc.assert(
    fc.property(anyTree.filter(isSmall), (tree) => {
      expect(fromJson(JSON.parse(JSON.stringify(tree)))).toMatchObject({ tree })
    }),
    { seed, numRuns: runs(1000) },
  )
})

test('printing a parsed filter is stable', () => {
  fc.assert(
    fc.property(anyTree.filter(isSmall), (tree) => {
      const text = print(tree)
      expect(print(parsed(text) as Filter)).toBe(text)
    }),
    { seed, numRuns: runs(500) },
  )
})

test('a checked filter keeps its meaning through either notation', () => {
  fc.assert(
    fc.property(ownTree(objects, 'people').filter(isSmall), (tree) => {
      const { filter } = read(tree)
      expect(filter).toStrictEqual(tree)
      expect(treeOf(print(filter))).toStrictEqual(tree)
    }),
    { seed, numRuns: runs(1500) },
  )
})

test.each([
  ['stage in (qualified, proposal) and amount >= 10000', 'deals'],
  [
    'organization.country = "DE" and not (owner = me or owner is empty)',
    'people',
    'organization.country = DE and not (owner = me or owner is empty)',
  ],
  ['last_activity_at < -14d and expected_close in this_quarter', 'deals'],
  ['tags has any (vip, partner) and emails ends with "@acme.com"', 'people'],
  ['any(deals: status = won and amount > 5000) and none(tasks: status = open)', 'people'],
  ['search("acme berlin")', 'people'],
])('%s is read as written', (text, root, canonical = text) => {
  const { filter } = read(text, root)
  expect(print(filter)).toBe(canonical)
  expect(treeOf(canonical, root)).toEqual(filter)
  expect(treeOf(JSON.parse(JSON.stringify(filter)), root)).toEqual(filter)
})

test('the JSON and text in the documentation are the same tree', () => {
  const json: Filter = {
    and: [
      { field: 'stage', op: 'in', value: ['qualified', 'proposal'] },
      {
        or: [
          { field: 'organization.country', op: 'eq', value: 'DE' },
          { not: { field: 'owner', op: 'eq', value: { me: true } } },
        ],
      },
      { any: 'people', where: { field: 'score', op: 'gt', value: 5000 } },
      { field: 'last_activity_at', op: 'lt', value: { relative: '-14d' } },
      { field: 'expected_close', op: 'in', value: [{ range: 'this_quarter' }] },
      { search: 'acme' },
    ],
  }
  const text =
    'stage in (qualified, proposal) and (organization.country = DE or not owner = me) and any(people: score > 5000) ' +
    'and last_activity_at < -14d and expected_close in this_quarter and search("acme")'
  expect(print(json)).toBe(text)
  expect(treeOf(text, 'deals')).toEqual(json)
  expect(treeOf(json, 'deals')).toEqual(json)
})

test('parentheses are kept only where they change the tree', () => {
  expect(print(treeOf('(score = 1 and score = 2) and score = 3'))).toBe('(score = 1 and score = 2) and score = 3')
  expect(print(treeOf('((score = 1)) or (score = 2 and score = 3)'))).toBe('score = 1 or score = 2 and score = 3')
  expect(print(treeOf('not (not score = 1)'))).toBe('not (not score = 1)')
})

test('an empty filter matches every record, in either notation', () => {
  for (const input of ['', '  ', [], { and: [] }]) expect(treeOf(input)).toEqual({ and: [] })
  expect(print({ and: [] })).toBe('')
})

test('JSON accepts bare arrays, groups of one, and one value for a list', () => {
  const one = { field: 'status', op: 'eq', value: 'active' } as const
  const two = { field: 'score', op: 'gt', value: 5 } as const
  expect(treeOf([one, two])).toEqual({ and: [one, two] })
  expect(treeOf([one])).toEqual(one)
  expect(treeOf({ and: [{ or: [one] }] })).toEqual(one)
  expect(treeOf({ field: 'birthday', op: 'in', value: { range: 'today' } })).toEqual({
    field: 'birthday',
    op: 'in',
    value: [{ range: 'today' }],
  })
})
