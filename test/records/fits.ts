// Whether a record fits a filter, and how records are sorted: slow and plain, over the values as they were entered.
import type { Filter, Situation } from '../../contract/filter/index.ts'
import { countryTexts, holds } from '../filter/reference.ts'
import type { Scope, ScopeField } from './scope.ts'

export type Kept = {
  id: string
  object: string
  is_deleted: boolean
  /** As entered, and what every record has. */
  values: Record<string, unknown>
}
export type World = { scope: Scope; records: Kept[]; here: Situation; maySee?: (record: Kept) => boolean }

export function fits(world: World, filter: Filter, record: Kept): boolean {
  if ('and' in filter) return filter.and.every((part) => fits(world, part, record))
  if ('or' in filter) return filter.or.some((part) => fits(world, part, record))
  if ('not' in filter) return !fits(world, filter.not, record)
  if ('search' in filter) return finds(world, filter.search, record)
  if ('quiet_for' in filter) return holds(filter, record.values, [], world.here)
  if ('any' in filter) return reached(world, filter.any, record).some((one) => fits(world, filter.where, one))
  if ('none' in filter) return !reached(world, filter.none, record).some((one) => fits(world, filter.where, one))
  const names = filter.field.split('.')
  const last = names.pop()!
  const [owner] = names.reduce<Kept[]>((found, name) => found.flatMap((one) => related(world, name, one)), [record])
  if (!owner) return holds({ ...filter, field: last }, {}, [anyField(world, last)], world.here)
  const field = fieldOf(world, last, owner)
  return holds({ ...filter, field: last }, { [last]: entered(world, field, owner) }, [field], world.here)
}

const reached = (world: World, path: string, record: Kept) =>
  path.split('.').reduce<Kept[]>((found, name) => found.flatMap((one) => related(world, name, one)), [record])

const fieldOf = ({ scope }: World, key: string, { object }: Kept) =>
  scope[object]!.fields.find((field) => field.key === key)!

/** Of nothing, any field of that name is as empty as another. */
const anyField = ({ scope }: World, key: string) =>
  Object.values(scope).flatMap(({ fields }) => fields.filter((field) => field.key === key))[0]!

export const isThere = ({ scope, maySee }: World, record: Kept) =>
  !record.is_deleted && scope[record.object] !== undefined && (maySee?.(record) ?? true)

/** The records that a relation links to, as far as the caller can see them. */
function related(world: World, key: string, record: Kept): Kept[] {
  const field = fieldOf(world, key, record)
  const ids = [entered(world, field, record) ?? []].flat()
  return world.records.filter((one) => ids.includes(one.id) && isThere(world, one))
}

function entered(world: World, field: ScopeField, record: Kept): unknown {
  if (field.type === 'relation' && !field.from) {
    const ids = [record.values[field.key] ?? []].flat().filter((id) => isLinkable(world, id as string))
    return field.many ? ids : ids[0]
  }
  if (!field.from) return field.type === 'money' ? money(record.values[field.key]) : record.values[field.key]
  const leadsHere = (other: Kept) => field.from!.some((key) => [other.values[key] ?? []].flat().includes(record.id))
  const [object] = field.to!
  return world.records
    .filter((other) => other.object === object && leadsHere(other) && isThere(world, other))
    .map(({ id }) => id)
}

/** A record in the trash, or of an object that the caller may not read, counts as not linked; one that is private does. */
const isLinkable = ({ scope, records }: World, id: string) =>
  records.some((one) => one.id === id && !one.is_deleted && scope[one.object] !== undefined)

// The other reference knows a currency without a rate as XXX, which no company can enter.
const money = (value: unknown) => {
  const { amount, currency } = (value ?? {}) as { amount?: string; currency?: string }
  return amount === undefined ? undefined : { amount, currency: currency === 'CHF' ? 'XXX' : currency }
}

const searched = ['text', 'long_text', 'email', 'phone', 'url']

function finds({ scope }: World, text: string, { object, values }: Kept) {
  const texts = scope[object]!.fields.flatMap(({ key, type }) =>
    type === 'country' && values[key]
      ? countryTexts(String(values[key]))
      : searched.includes(type) && key !== 'id'
        ? [values[key] ?? []].flat().map(String)
        : [],
  )
  const terms = plain(text).split(' ').filter(Boolean)
  return terms.every((term) => texts.some((one) => plain(one).includes(term)))
}

const plain = (text: string) => text.toLowerCase().replaceAll('ä', 'a').replaceAll('ß', 'ss')

/** Empty values come last whichever way; records that are alike go by their ids, the way of the last key. */
export function sorted({ scope }: World, records: Kept[], sort: string[]) {
  const keys = sort.map((text) => ({ key: text.replace(/^[-+]/, ''), way: text.startsWith('-') ? -1 : 1 }))
  const last = keys.at(-1)?.way ?? -1
  return records.toSorted((a, b) => {
    for (const { key, way } of keys) {
      const [x, y] = [rank(scope, a, key), rank(scope, b, key)]
      if (x === y) continue
      if (x === undefined || y === undefined) return x === undefined ? 1 : -1
      return x < y ? -way : way
    }
    return a.id < b.id ? -last : last
  })
}

/** What a record is sorted by; undefined where it has nothing to compare. */
export function rank(scope: Scope, { object, values }: Kept, key: string): string | number | undefined {
  const field = scope[object]!.fields.find((one) => one.key === key)!
  const value = values[key]
  if (value === undefined || value === null) return undefined
  if (field.type === 'number') return value as number
  if (field.type === 'select') return field.options!.findIndex(({ key }) => key === value)
  if (field.type === 'country') return countryTexts(String(value))[0]
  if (field.type !== 'money') return field.type === 'text' ? plain(String(value)) : String(value)
  const { amount, currency } = value as { amount: string; currency: string }
  return currency === 'CHF' ? undefined : Number(amount) * (currency === 'USD' ? 2 : 1)
}
