// The subject and the operator of a condition while it is being edited.
import { createContext, useContext } from 'react'
import { comparedAs, hasDuplicate } from '../../../contract/built-in/compared.ts'
import { enteredFields } from '../../../contract/built-in/stage-fields.ts'
import { systemFields } from '../../../contract/built-in/system-fields.ts'
import { fitValue } from '../../../contract/filter/check-value.ts'
import {
  asFilterField,
  type Checked,
  type CheckedFilter,
  everything,
  type Fault,
  type Filter,
  type FilterField,
  type FilterObject,
  type FilterObjects,
  hasFaults,
  type Op,
  operators,
  readFilter,
  referencesIn,
  type Scope,
  type Value,
} from '../../../contract/filter/index.ts'
import type { Operands } from '../../../contract/filter/tree.ts'
import { api } from '../../client/api.ts'
import { builtInField } from '../data/built-in.ts'
import { isDeals } from '../data/pipelines.ts'
import { type ObjectShape, useSchema } from '../data/schema.ts'
import { firstOp, isMoment } from './values/words.ts'

/** A field by its path. */
export type FieldSubject = { path: string; label: string; field: FilterField }
/** Or all text of a record, or how long nothing has happened to it. */
export type Subject = FieldSubject | 'search' | 'quiet'
export type Draft = { op: Op; values: Value[] }
export type Asking = { subject: Subject; draft: Draft }

/** What a new condition begins with. */
export function beginning(subject: Subject): Asking {
  if (subject === 'search') return { subject, draft: { op: 'contains', values: [] } }
  if (subject === 'quiet') return { subject, draft: { op: 'eq', values: ['14d'] } }
  return { subject, draft: withOp(subject.field, firstOp(subject.field), []) }
}

/** Nothing for what has no form: any() and none(). */
export function askingOf(filter: Filter, checked: Checked): Asking | undefined {
  if (checked.kind === 'search') return { subject: 'search', draft: { op: 'contains', values: [checked.text] } }
  if (checked.kind === 'quiet') return { subject: 'quiet', draft: { op: 'eq', values: [checked.duration] } }
  if (checked.kind !== 'condition' || !('field' in filter)) return undefined
  const label = checked.path.map(({ field }) => field.label).join(' › ')
  const subject = { path: filter.field, label, field: checked.path.at(-1)!.field }
  return { subject, draft: { op: checked.op, values: checked.values } }
}

/** Another operator with the values that it takes too. */
export function withOp(field: FilterField, op: Op, values: Value[]): Draft {
  const { operands } = operators[op]
  const kept = values.filter((value) => 'value' in fitValue({ field, op, hasCaller: true }, value, undefined))
  const fitting = kept.length ? kept : firstValues(field, operands)
  if (operands === 'none' || operands === 'one') return { op, values: fitting.slice(0, operands === 'one' ? 1 : 0) }
  const [first, second = first] = fitting
  return { op, values: operands === 'pair' && first !== undefined ? [first, second!] : fitting }
}

function firstValues(field: FilterField, operands: Operands): Value[] {
  if (field.type === 'boolean') return [true]
  return isMoment(field) && operands !== 'list' ? [{ relative: '-7d' }, { range: 'today' }] : []
}

// A filter as groups of parts. A group of one is what it holds, so a group appears with its second part.

export type Joiner = 'and' | 'or'
/** A part of the tree beside the same part with its fields. */
export type Part = { filter: Filter; checked: Checked }
export type Group = { joiner: Joiner; parts: Part[] }

export const other = (joiner: Joiner): Joiner => (joiner === 'and' ? 'or' : 'and')

/** The parts of a group, or nothing if this is none. */
export function groupOf({ filter, checked }: Part): Group | undefined {
  const filters = 'and' in filter ? filter.and : 'or' in filter ? filter.or : undefined
  if (!filters || !('parts' in checked)) return undefined
  return { joiner: checked.kind, parts: filters.map((part, i) => ({ filter: part, checked: checked.parts[i]! })) }
}

/** The whole filter as conditions that must all hold: what is anything else is the only one of them. */
export function allOf(whole: Part): Group {
  const group = groupOf(whole)
  return group?.joiner === 'and' ? group : { joiner: 'and', parts: [whole] }
}

export function grouped(joiner: Joiner, filters: Filter[]): Filter {
  if (filters.length < 2) return filters[0] ?? everything
  return joiner === 'and' ? { and: filters } : { or: filters }
}

/** What stands behind `not`, if it is one. */
export function negated({ filter, checked }: Part): Part | undefined {
  return 'not' in filter && checked.kind === 'not' ? { filter: filter.not, checked: checked.part } : undefined
}

// What is wrong with a text, found here, and by the server where it names users or records.

export type Reading = { text: string; filter?: CheckedFilter; faults: Fault[] }

export function read(text: string, scope: Scope): Reading {
  const result = readFilter(text, scope)
  return hasFaults(result) ? { text, faults: result.faults } : { text, filter: result, faults: [] }
}

/** Also whether the named users and records exist. Without an answer nothing is wrong: running the filter will tell. */
export async function faultsIn(text: string, scope: Scope, signal?: AbortSignal): Promise<Fault[]> {
  const { filter, faults } = read(text, scope)
  if (!filter || !referencesIn(filter.checked).length) return faults
  const answer = await api
    .validateFilter({ object: filter.root, filter: text }, signal && { signal })
    .catch(() => undefined)
  return (answer?.faults ?? []) as Fault[]
}

// The company's objects as the filter language sees them, with relations both ways: the same as on the server.

const known = new WeakMap<ObjectShape[], FilterObjects>()

export function filterObjects(schema: ObjectShape[]): FilterObjects {
  const objects = known.get(schema) ?? Object.fromEntries(schema.map((object) => [object.key, seen(object, schema)]))
  known.set(schema, objects)
  return objects
}

/**
 * Objects that are no records but can be filtered like them, such as conversations. Their filters name records, but go
 * no further: fields of those are unknown to them.
 */
export const OtherObjects = createContext<FilterObjects | undefined>(undefined)

export function useFilterObjects(): FilterObjects {
  const own = filterObjects(useSchema())
  return useContext(OtherObjects) ?? own
}

/** Of such objects, the server does not say what is wrong with a filter before it runs, or how its records are named. */
export const useIsOther = () => useContext(OtherObjects) !== undefined

export const useScope = (object: string): Scope => ({ objects: useFilterObjects(), root: object })

function seen(object: ObjectShape, schema: ObjectShape[]): FilterObject {
  const own = object.fields.map(asFilterField)
  const stage = isDeals(object) ? builtInField(object, 'stage') : undefined
  const more: FilterField[] = [
    ...systemFields,
    ...(stage ? enteredFields(stage) : []),
    ...(comparedAs(object.is_built_in ? (object.built_in_key ?? object.key) : undefined) ? [hasDuplicate] : []),
  ]
  const fields: FilterField[] = [...own, ...more.filter(({ key }) => !own.some((field) => field.key === key))]
  const named = new Set(fields.map(({ key }) => key))
  const backwards = schema.filter(({ key }) => !named.has(key)).filter((other) => leadsTo(other, object.key))
  return { key: object.key, label: object.label_plural, fields: [...fields, ...backwards.map(backwardsFrom)] }
}

const leadsTo = (other: ObjectShape, key: string) =>
  other.fields.some(({ type, to_objects }) => type === 'relation' && (!to_objects?.length || to_objects.includes(key)))

/** The records of another object that lead here, under that object's name: any(deals: ...) of an organization. */
const backwardsFrom = ({ key, label_plural }: ObjectShape): FilterField => ({
  key,
  label: label_plural,
  type: 'relation',
  many: true,
  to: [key],
})
