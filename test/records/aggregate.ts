// Numbers over records: slow and plain, over the values as they were entered.
import { type Period, readGrouping, readMeasure } from '../../contract/aggregates.ts'
import { comparableText } from '../../contract/filter/comparable.ts'
import type { Filter } from '../../contract/filter/index.ts'
import { fits, isThere, type Kept, type World } from './fits.ts'
import type { ScopeField } from './scope.ts'

export type Asked = { object: string; filter: Filter; measures: string[]; group_by: string[] }
type Value = number | string | null
/** By the keys of a group as JSON; '' has the totals. */
export type Numbers = Map<string, Record<string, Value>>

export function numbersOf(world: World, { object, filter, measures, group_by }: Asked): Numbers {
  const records = world.records.filter(
    (one) => one.object === object && isThere(world, one) && fits(world, filter, one),
  )
  const groups = new Map<string, Kept[]>([['', records]])
  for (const record of group_by.length ? records : [])
    for (const keys of combined(group_by.map((text) => keysOf(world, record, text)))) {
      const key = JSON.stringify(keys)
      groups.set(key, [...(groups.get(key) ?? []), record])
    }
  const measured = (list: Kept[]) => Object.fromEntries(measures.map((text) => [text, measure(world, list, text)]))
  return new Map([...groups].map(([key, list]) => [key, measured(list)]))
}

const combined = (sets: unknown[][]) =>
  sets.reduce<unknown[][]>((all, set) => all.flatMap((keys) => set.map((key) => [...keys, key])), [[]])

const fieldOf = ({ scope }: World, object: string, key: string) =>
  scope[object]!.fields.find((field) => field.key === key)!

const linked = (world: World, record: Kept, key: string) =>
  ([record.values[key] ?? []].flat() as string[]).flatMap(
    (id) => world.records.find((one) => one.id === id && isThere(world, one)) ?? [],
  )

function keysOf(world: World, record: Kept, text: string): unknown[] {
  const { path, period } = readGrouping(text)
  const [first, inner] = path.split('.') as [string, string?]
  const owners = inner ? linked(world, record, first) : [record]
  const keys = owners.flatMap((owner) => {
    const field = fieldOf(world, owner.object, inner ?? first)
    if (field.type === 'relation') return linked(world, owner, field.key).map(({ id }) => id)
    const values = [owner.values[field.key] ?? []].flat()
    return values.map((value) => plainKey(world, field, value, period))
  })
  return keys.length ? [...new Set(keys)] : [null]
}

export function plainKey(world: World, { type }: ScopeField, value: unknown, period?: Period): unknown {
  if (type === 'date' || type === 'datetime') {
    const day = type === 'date' ? String(value) : dayIn(world.here.timeZone, String(value))
    return startOf(day, period ?? 'day', world.here.firstWeekday)
  }
  const isText = ['text', 'email', 'phone', 'url', 'country'].includes(type)
  return isText ? comparableText(type, String(value)) : value
}

const dayIn = (timeZone: string, time: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(time))

function startOf(day: string, period: Period, firstWeekday: World['here']['firstWeekday']) {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const padded = (month: number) => `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
  if (period === 'day') return day
  if (period === 'month') return padded(month)
  if (period === 'quarter') return padded(month - ((month - 1) % 3))
  if (period === 'year') return `${String(year).padStart(4, '0')}-01-01`
  const date = new Date(`${day}T00:00:00Z`)
  while (date.getUTCDay() !== { monday: 1, saturday: 6, sunday: 0 }[firstWeekday])
    date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

function measure(world: World, records: Kept[], text: string): Value {
  const asked = readMeasure(text)
  if (asked.name === 'count') return records.length
  const { name, field: key } = asked
  const field = fieldOf(world, records[0]?.object ?? 'people', key)
  const isLinked = field?.type === 'relation'
  const values = records.flatMap((record) => {
    if (isLinked) return linked(world, record, key).length ? [linked(world, record, key)[0]!.id] : []
    const value = record.values[key]
    return value === undefined || value === null ? [] : [value]
  })
  if (name === 'filled') return values.length
  const told = (value: unknown) =>
    field.type === 'datetime' ? Date.parse(String(value)) : plainKey(world, field, value)
  if (name === 'distinct') return new Set(values.map(told)).size
  const comparable = values.flatMap((value) => amount(value) ?? []) as (number | string)[]
  const sum = comparable.reduce<number>((all, value) => all + Number(value), 0)
  if (name === 'sum') return Math.round(sum * 1e6) / 1e6
  if (!comparable.length) return null
  if (name === 'average') return Math.round((sum / comparable.length) * 1e6) / 1e6
  const sorted = comparable.toSorted((a, b) => (a < b ? -1 : 1))
  return name === 'min' ? sorted[0]! : sorted.at(-1)!
}

/** A dollar counts two euros; francs have no rate. */
function amount(value: unknown): number | string | undefined {
  if (typeof value !== 'object') return value as number | string
  const { amount, currency } = value as { amount: string; currency: string }
  return currency === 'CHF' ? undefined : Number(amount) * (currency === 'USD' ? 2 : 1)
}
