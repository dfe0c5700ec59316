import { expect, test } from 'vitest'
import { builtInField, builtInObject, isBuiltIn } from './built-in.ts'
import { ownFilter } from './rights.ts'
import type { ObjectShape } from './schema.ts'

const named = (key: string, is_built_in: boolean, built_in_key?: string) => ({ key, is_built_in, built_in_key })
const object = (...[key, is_built_in, built_in_key]: Parameters<typeof named>) =>
  ({ ...named(key, is_built_in, built_in_key), fields: [], byKey: new Map() }) as unknown as ObjectShape

test('an object that a company made before Kith had one of that key is not the built-in one', () => {
  const [own, builtIn] = [object('tasks', false), object('tasks_2', true, 'tasks')]
  expect(builtInObject([own, builtIn], 'tasks')).toBe(builtIn)
  expect([own, builtIn].map((one) => isBuiltIn(one, 'tasks', 'notes'))).toEqual([false, true])
  expect(ownFilter(own)).toBe('owner = me')
  expect(ownFilter(builtIn)).toBe('(owner = me or assignee = me)')
  expect(ownFilter(object('notes', true))).toBe('(owner = me or created_by = me)')
})

test('the same goes for its fields', () => {
  const fields = [named('stage', false), named('deal_stage', true, 'stage')]
  const deals = { ...object('deals', true), fields } as unknown as ObjectShape
  expect(builtInField(deals, 'stage')?.key).toBe('deal_stage')
  expect(builtInField(deals, 'amount')).toBeUndefined()
})
