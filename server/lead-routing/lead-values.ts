// The values of a lead as templates use them.
import { own } from '../../contract/shared/own.ts'
import { userNames } from '../engine/names/user-names.ts'
import type { Field, ObjectSchema } from '../engine/schema/schema.ts'
import { isoTime, type Stored } from '../engine/values/from-row.ts'
import type { Reader } from '../kernel/context.ts'
import type { TemplateValues } from '../platform/template.ts'

/** What templates can use besides the fields of leads; a field of the same name comes first. */
export const extraNames = ['title', 'lead_id', 'delivery_id', 'created_at', 'owner', 'return_link'] as const
type Extra = { delivery_id: string; return_link: string }

/** Relations stay in Kith. */
export const sendable = (leads: ObjectSchema) =>
  leads.fields.filter(
    ({ type, built_in_key }) => type !== 'relation' && type !== 'file' && !ownFigures.includes(built_in_key ?? ''),
  )
/** What Kith notes about sending the lead is no concern of those who get it. */
const ownFigures = ['sending', 'delivered_to', 'delivered_at', 'revenue']

export const namesOf = (leads: ObjectSchema) => [...new Set([...sendable(leads).map(({ key }) => key), ...extraNames])]

/** Options by label for people, and by key for programs. */
export async function valuesOf(
  context: Reader,
  leads: ObjectSchema,
  lead: Stored,
  extra: Extra,
  options: 'labels' | 'keys',
): Promise<TemplateValues> {
  const fields = sendable(leads)
  const ids = fields.filter(({ type }) => type === 'user').flatMap(({ key }) => [own(lead.values, key) ?? []].flat())
  const users = await userNames(context, [...(ids as string[]), ...(lead.owner_id ? [lead.owner_id] : [])])
  const system = {
    title: lead.title,
    lead_id: lead.id,
    created_at: isoTime(lead.created_at),
    owner: users.get(lead.owner_id ?? '') ?? '',
    ...extra,
  }
  return Object.fromEntries([
    ...Object.entries(system).map(([name, text]) => [name, { raw: text, text }]),
    ...fields.map((field) => {
      const value = own(lead.values, field.key) ?? null
      const rawOf = (one: unknown) =>
        field.type === 'user' ? (users.get(String(one)) ?? '') : shownOption(field, one, options)
      const raw = Array.isArray(value) ? value.map(rawOf) : value === null ? null : rawOf(value)
      return [field.key, { raw, text: textOf(raw) }]
    }),
  ])
}

function shownOption({ type, options }: Field, value: unknown, how: 'labels' | 'keys') {
  if (how === 'keys' || (type !== 'select' && type !== 'multi_select')) return value
  return options?.find(({ key }) => key === value)?.label ?? value
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object') {
    const { amount, currency } = value as { amount?: string; currency?: string }
    return amount === undefined ? JSON.stringify(value) : `${amount} ${currency ?? ''}`.trim()
  }
  return String(value)
}

/** Made-up values for a test, in the form that the fields have. */
export function sampleLead(leads: ObjectSchema, now: Date): Stored {
  const values = Object.fromEntries(
    sendable(leads).flatMap((field) => {
      const sample = sampleOf(field)
      return sample === undefined ? [] : [[field.key, field.is_multi && !Array.isArray(sample) ? [sample] : sample]]
    }),
  )
  const time = now.toISOString()
  return {
    id: '00000000-0000-7000-8000-000000000000',
    object_id: leads.id,
    values,
    title: 'Ada Test',
    owner_id: null,
    created_at: time,
    created_by: null,
    updated_at: time,
    last_activity_at: null,
    deleted_at: null,
    version: 1,
  }
}

const known: Record<string, unknown> = {
  first_name: 'Ada',
  last_name: 'Test',
  email: 'ada.test@example.com',
  phone: '+15550100123',
  company_name: 'Example Inc.',
  message: 'This is a test.',
}

function sampleOf({ built_in_key, type, options }: Field): unknown {
  const own = built_in_key ? known[built_in_key] : undefined
  if (own !== undefined) return own
  switch (type) {
    case 'text':
    case 'long_text':
      return 'Test'
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'select':
      return options?.[0]?.key
    case 'multi_select':
      return options?.[0] ? [options[0].key] : undefined
    case 'email':
      return 'ada.test@example.com'
    case 'url':
      return 'https://www.example.com/'
    case 'date':
      return '2026-01-31'
    case 'country':
      return 'DE'
    default:
      return undefined
  }
}
