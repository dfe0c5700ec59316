// Short ways to read, check and ask a filter in the tests.
import { expect } from 'vitest'
import {
  type CheckedFilter,
  evaluate,
  type Fault,
  type FilterInput,
  hasFaults,
  type MatchValues,
  readFilter,
  resolve,
  type Situation,
  type Test,
} from '../../contract/filter/index.ts'
import { objects } from './company.ts'

export const here: Situation = {
  now: new Date('2026-06-17T10:30:00Z'),
  timeZone: 'Europe/Berlin',
  firstWeekday: 'monday',
  me: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11',
}

export function read(input: string | FilterInput, root = 'people', hasCaller = true): CheckedFilter {
  const result = readFilter(input, { objects, root, hasCaller })
  if (hasFaults(result)) throw new Error(result.faults.map((fault) => fault.message).join('\n'))
  return result
}

export const treeOf = (input: string | FilterInput, root?: string) => read(input, root).filter

export function faultsOf(input: string | FilterInput, root = 'people', hasCaller = true): Fault[] {
  const result = readFilter(input, { objects, root, hasCaller })
  return hasFaults(result) ? result.faults : []
}

/** The only fault of a text, with the words it points at. */
export function faultOf(text: string, root?: string, hasCaller?: boolean) {
  const faults = faultsOf(text, root, hasCaller)
  expect(faults).toHaveLength(1)
  const { at, ...fault } = faults[0]!
  return { ...fault, at: text.slice(at!.offset, at!.offset + at!.length), offset: at!.offset }
}

export function resolved(input: string | FilterInput, root?: string, situation = here) {
  const result = resolve(read(input, root).checked, situation)
  if (hasFaults(result)) throw new Error(result.faults[0]!.message)
  return result.resolved
}

/** The test that a single condition comes to, whether negated or not. */
export function testOf(text: string, root?: string, situation = here): Test {
  const node = resolved(text, root, situation)
  const test = node.kind === 'not' ? node.part : node
  if (test.kind !== 'test') throw new Error('not a single condition')
  return test.test
}

export const fits = (input: string | FilterInput, values: MatchValues, root?: string, situation = here) =>
  evaluate(resolved(input, root, situation), values)
