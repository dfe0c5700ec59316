import { expect, test } from 'vitest'
import type { FieldShape, ObjectShape } from '../records/data/schema.ts'
import type { Change } from './change-sets.ts'
import { inWords, mergedInWords, mergeIn, undoneIn } from './change-words.ts'

const stage = {
  key: 'stage',
  label: 'Stage',
  is_read_only: false,
  options: [
    { key: 'proposal', label: 'Proposal', kind: 'open' },
    { key: 'won', label: 'Won', kind: 'won' },
  ],
}
const fields = [stage, { key: 'amount', label: 'Amount' }] as unknown as FieldShape[]
const deals = { key: 'deals', byKey: new Map(fields.map((field) => [field.key, field])) } as unknown as ObjectShape

const undone = (action: Change['action'], fields: Change['fields'] = {}) =>
  undoneIn([{ object: 'deals', record_id: '1', action, fields } as unknown as Change], [deals], () => 'Karla')

test('an entry about an undo says what was undone', () => {
  expect([
    undone('updated', { stage: { from: 'won', to: 'proposal' } }),
    undone('updated', { amount: { from: 5, to: 4 } } as unknown as Change['fields']),
    undone('deleted'),
    undone('restored'),
  ]).toEqual(['moved to Won', 'changed Amount', 'created this', 'deleted this'])
})

test('names that the company chose keep their capitals, and only the first word has one of its own', () => {
  const ndas = { key: 'ndas', label: 'NDA', label_plural: 'NDAs' } as unknown as ObjectShape
  const of = (action: Change['action'], object: string) => ({ object, record_id: '1', action, fields: {} }) as Change
  const all = [of('created', 'ndas'), of('created', 'ndas'), of('updated', 'ndas'), of('updated', 'deals')]
  const people = { ...deals, label: 'Deal', label_plural: 'Deals' }
  expect(inWords(all, [ndas, people])).toBe('Created 2 NDAs, changed 1 NDA and 1 deal')
})

test('a merge says how many records were merged into which one', () => {
  const people = { key: 'people', label: 'Person', label_plural: 'People' } as unknown as ObjectShape
  const merged = { object: 'people', record_id: 'ada', count: 2 }
  const change = (record_id: string, action: Change['action']) => ({ object: 'people', record_id, action }) as Change
  expect(mergedInWords(merged, 'Ada Lovelace', [people])).toEqual(['Merged 2 people into', 'Ada Lovelace'])
  expect(mergedInWords({ object: 'people', count: 1 }, undefined, [people])).toEqual(['Merged 1 person'])
  expect(mergeIn({ merged }, [change('ada', 'updated')], [people])).toBe('merged 2 people into this')
  expect(mergeIn({ merged }, [change('king', 'deleted')], [people])).toBe('merged this into another record')
  expect(mergeIn({ merged }, [change('deal', 'updated')], [people])).toBeUndefined()
  expect(mergeIn({ merged: null }, [change('ada', 'updated')], [people])).toBeUndefined()
})
