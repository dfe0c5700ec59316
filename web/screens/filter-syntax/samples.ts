// A filter to try for any field and operator, made from the field itself and from what records hold in it.
import { useQuery } from '@tanstack/react-query'
import { type FilterField, type Op, operators, operatorsOf, print, type Value } from '../../../contract/filter/index.ts'
import { api } from '../../client/api.ts'
import { firstOp } from '../../records/filter/values/words.ts'

export type Sampled = Record<string, unknown>[]

/** A few records to take values from; until they are there, or where nothing is, values are made up. */
export function useSampled(object: string, isKnown = true): Sampled {
  const { data } = useQuery({
    queryKey: ['records', object, 'sampled'],
    queryFn: () => api.queryRecords({ object, limit: 20 }),
    enabled: isKnown,
    staleTime: 300_000,
  })
  return data?.records ?? []
}

/** Nothing where a value cannot be guessed: an option of a field without any. */
export function sampleOf(field: FilterField, sampled: Sampled, op: Op = likelyOp(field)): string | undefined {
  const { operands } = operators[op]
  if (operands === 'none') return print({ field: field.key, op })
  const values = sampleValues(field, op, sampled)
  const [first, second = first] = values
  if (first === undefined) return undefined
  return print({
    field: field.key,
    op,
    value: operands === 'one' ? first : operands === 'pair' ? [first, second!] : pair(values),
  })
}

const pair = (values: Value[]) => [...new Set(values)].slice(0, 2)

function likelyOp(field: FilterField): Op {
  if (field.key === 'id') return 'is_not_empty'
  const op = firstOp(field)
  return sampleValues(field, op, []).length ? op : operatorsOf(field).at(-1)!
}

function sampleValues(field: FilterField, op: Op, sampled: Sampled): Value[] {
  if (field.options) return field.options.map(({ key }) => key)
  const held = [...new Set(sampled.flatMap((record) => record[field.key] ?? []))]
  switch (field.type) {
    case 'boolean':
      return [true]
    case 'number':
      return ascending([...held.filter((value) => typeof value === 'number'), 10, 50])
    case 'money':
      return [1000, 5000]
    case 'date':
    case 'datetime':
      return op === 'in' || op === 'not_in' ? [{ range: 'this_month' }] : [{ relative: '-30d' }, { range: 'today' }]
    case 'user':
      return [{ me: true }]
    case 'relation':
      return []
    default:
      return [...held.filter((value) => typeof value === 'string').filter(isShort), ...madeUp[field.type]].map(
        (text) => (partial.has(op) ? wordOf(text) : text),
      )
  }
}

const partial = new Set<Op>(['contains', 'not_contains', 'starts_with'])
/** A part is enough where a part is asked for. */
const wordOf = (text: string) => text.match(/^[\p{L}\p{N}+@.-]{3,}/u)?.[0] ?? text
const isShort = (text: string) => text.length <= 40 && !text.includes('\n')
const ascending = (numbers: number[]) => numbers.slice(0, 2).sort((a, b) => a - b)

const madeUp = {
  text: ['Berlin', 'London'],
  long_text: ['hello', 'goodbye'],
  email: ['@example.com', '@example.org'],
  phone: ['+4930', '+4420'],
  url: ['example.com', 'example.org'],
  country: ['DE', 'US'],
  select: [],
  multi_select: [],
  file: ['offer', 'pdf'],
}
