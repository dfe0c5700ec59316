// What is wrong with a text, found here, and by the server where it names users or records.
import {
  type CheckedFilter,
  type Fault,
  hasFaults,
  readFilter,
  referencesIn,
  type Scope,
} from '../../../contract/filter/index.ts'
import { api } from '../../client/api.ts'

export type Reading = { text: string; filter?: CheckedFilter; faults: Fault[] }

export function read(text: string, scope: Scope): Reading {
  const result = readFilter(text, scope)
  return hasFaults(result) ? { text, faults: result.faults } : { text, filter: result, faults: [] }
}

/** Also whether the named users and records exist. Without an answer nothing is wrong: running the filter will tell. */
export async function faultsIn(text: string, scope: Scope): Promise<Fault[]> {
  const { filter, faults } = read(text, scope)
  if (!filter || !referencesIn(filter.checked).length) return faults
  const answer = await api.validateFilter({ object: filter.root, filter: text }).catch(() => undefined)
  return (answer?.faults ?? []) as Fault[]
}
