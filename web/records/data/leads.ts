// What is particular about leads: their first response, and what they became.
import { asDuration } from '../../ui/text/moments.ts'
import { builtInField, isBuiltIn } from './built-in.ts'
import type { RecordShape } from './records-api.ts'
import type { FieldShape, ObjectShape } from './schema.ts'
import { isEmpty } from './value-text.ts'

export const isLeads = (object: ObjectShape) => isBuiltIn(object, 'leads')

const valueIn = (leads: ObjectShape, lead: RecordShape, key: string) => {
  const field = builtInField(leads, key)
  return field && lead[field.key]
}

const closed: unknown[] = ['converted', 'disqualified']

export const isConverted = (leads: ObjectShape, lead: RecordShape) => valueIn(leads, lead, 'status') === 'converted'

/** No one waits for an answer any longer. */
export const isClosedLead = (object: ObjectShape, record: RecordShape) =>
  isLeads(object) && closed.includes(valueIn(object, record, 'status'))

/** The fields with the records that the lead was converted to. */
export const convertedFields = (leads: ObjectShape, lead: RecordShape): FieldShape[] =>
  ['converted_person', 'converted_organization', 'converted_deal'].flatMap((key) => {
    const field = builtInField(leads, key)
    return field && !isEmpty(lead[field.key]) ? [field] : []
  })

export type FirstResponse = { words: string; at: string; tone: 'done' | 'waiting' | 'late' }

/** When someone answered the lead, or has to. Nothing without a target. */
export function firstResponse(leads: ObjectShape, lead: RecordShape, now: number): FirstResponse | undefined {
  const [answered, due] = ['first_response_at', 'response_due_at'].map((key) => valueIn(leads, lead, key))
  const created = Date.parse(String(lead.created_at))
  const between = (from: number, to: number) => asDuration((to - from) / 60_000)
  const target = typeof due === 'string' ? Date.parse(due) : undefined
  if (typeof answered === 'string') {
    const at = Date.parse(answered)
    const isLate = target !== undefined && at > target
    const late = isLate ? `, ${between(target, at)} late` : ''
    return { words: `After ${between(created, at)}${late}`, at: answered, tone: isLate ? 'late' : 'done' }
  }
  if (target === undefined || isClosedLead(leads, lead)) return undefined
  return now < target
    ? { words: `Due in ${between(now, target)}`, at: String(due), tone: 'waiting' }
    : { words: `Missed ${between(target, now)} ago`, at: String(due), tone: 'late' }
}
