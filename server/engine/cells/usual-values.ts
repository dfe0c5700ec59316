// How other products write values of our built-in fields.
import { fold } from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { findOption } from '../values/read-values.ts'

const words: Record<string, Record<string, string[]>> = {
  'tasks.status': {
    open: [
      'not started',
      'in progress',
      'to do',
      'todo',
      'pending',
      'deferred',
      'waiting on someone else',
      'waiting',
      'false',
      'no',
      '0',
    ],
    done: ['completed', 'complete', 'finished', 'closed', 'true', 'yes', '1'],
  },
  'tasks.priority': { normal: ['medium', 'none'], high: ['urgent'] },
  'leads.status': {
    new: ['open', 'open - not contacted'],
    working: ['working - contacted', 'contacted', 'in progress', 'attempted to contact'],
    disqualified: ['closed - not converted', 'unqualified'],
    converted: ['closed - converted'],
  },
  'activities.direction': { outgoing: ['outbound'], incoming: ['inbound'] },
  'activities.kind': { meeting: ['lunch', 'demo', 'event'], call: ['phone call'], other: ['task', 'deadline'] },
}

/** An option of that name comes first. */
export function usualOptions(
  { built_in_key: object }: Pick<ObjectSchema, 'built_in_key'>,
  field: Pick<Field, 'built_in_key' | 'options'>,
  value: unknown,
): unknown {
  const known = own(words, `${object}.${field.built_in_key}`)
  if (!known || typeof value !== 'string' || findOption(field, value)) return value
  const key = Object.keys(known).find((option) => known[option]!.includes(fold(value.trim())))
  return key && findOption(field, key) ? key : value
}

/** Minutes, of a duration such as 01:30. */
export function usualNumber(
  { built_in_key: object }: Pick<ObjectSchema, 'built_in_key'>,
  { built_in_key }: Pick<Field, 'built_in_key'>,
  cell: string,
): string {
  if (object !== 'activities' || built_in_key !== 'duration') return cell
  const [, hours, minutes] = /^(\d{1,3}):([0-5]\d)(?::00)?$/.exec(cell.trim()) ?? []
  return hours === undefined ? cell : String(Number(hours) * 60 + Number(minutes))
}
