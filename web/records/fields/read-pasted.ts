// A text from elsewhere, as the value of a field: what a person would have chosen or typed for it.
import { api } from '../../client/api.ts'
import { readDecimal } from '../../ui/text/numbers.ts'
import { mannerIn, readDay } from '../../ui/text/read-day.ts'
import { findRecords } from '../data/find-records.ts'
import type { FieldShape } from '../data/schema.ts'
import { countryOf } from './countries.ts'
import { clockText, instantText, readMoment, usualTime } from './read-moment.ts'
import { readMoney } from './read-money.ts'
import { faultOf } from './value-fault.ts'

export type Place = { language: string; zone: string; currency: string }
export type Pasted = { value: unknown; fault?: undefined } | { fault: string }

export async function readPasted(field: FieldShape, pasted: string, place: Place): Promise<Pasted> {
  const text = field.type === 'long_text' ? pasted.trim() : pasted.trim().replace(/\s+/g, ' ')
  const isMulti = field.is_multi || field.type === 'multi_select'
  const read = isMulti ? await readSeveral(field, text, place) : await readOne(field, text, place)
  if (read.fault !== undefined) return read
  const fault = faultOf(field, read.value)
  return fault === undefined ? read : { fault }
}

/** A name may hold a comma itself: the whole is tried first. */
async function readSeveral(field: FieldShape, text: string, place: Place): Promise<Pasted> {
  const whole = await readOne(field, text, place)
  if (whole.fault === undefined && !(isPlain(field) && /[,;]/.test(text))) return { value: [whole.value] }
  const parts = text.split(/[,;]/).flatMap((part) => part.trim() || [])
  const all = await Promise.all(parts.map((part) => readOne(field, part, place)))
  const wrong = all.find(({ fault }) => fault !== undefined)
  return wrong ?? { value: [...new Set(all.map((one) => 'value' in one && one.value))] }
}

const isPlain = ({ type }: FieldShape) => type === 'email' || type === 'phone' || type === 'url' || type === 'text'

async function readOne(field: FieldShape, text: string, place: Place): Promise<Pasted> {
  switch (field.type) {
    case 'number':
      return { value: numberOf(text) ?? text }
    case 'money':
      return { value: readMoney(text, place.currency) ?? { amount: text, currency: place.currency } }
    case 'boolean':
      return flagOf(text)
    case 'date':
      return { value: readDay(text, mannerIn(place.language)) ?? text }
    case 'datetime': {
      const clock = readMoment(text, mannerIn(place.language), usualTime, clockText(Date.now(), place.zone))
      return { value: clock ? instantText(clock, place.zone) : text }
    }
    case 'select':
    case 'multi_select': {
      const option = field.options?.find(({ key, label }) => isAlike(label, text) || key === text)
      return option ? { value: option.key } : { fault: `“${text}” is not an option of ${field.label}` }
    }
    case 'country':
      return { value: countryOf(text) }
    case 'user': {
      const { items } = await api.listUsers({ q: text, limit: 50 })
      return only(
        items.filter(({ name, email }) => isAlike(name, text) || isAlike(email, text)),
        text,
      )
    }
    case 'relation': {
      const found = await findRecords(field.to_objects ?? [], text)
      return only(
        found.filter(({ title }) => isAlike(title, text)),
        text,
      )
    }
    default:
      return { value: text }
  }
}

const isAlike = (a: string | null | undefined, b: string) => a?.trim().toLowerCase() === b.toLowerCase()

function only(found: { id: string }[], text: string): Pasted {
  if (found.length === 1) return { value: found[0]!.id }
  return { fault: found.length ? `Several match “${text}”. Choose one` : `No match for “${text}”` }
}

function numberOf(text: string) {
  const read = readDecimal(text)
  return read === undefined ? undefined : Number(read)
}

function flagOf(text: string): Pasted {
  if (/^(yes|true|1)$/i.test(text)) return { value: true }
  return /^(no|false|0)$/i.test(text) ? { value: false } : { fault: 'Enter Yes or No' }
}
