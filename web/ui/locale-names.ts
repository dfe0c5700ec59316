// Names for the codes of languages, currencies and time zones.
import { languages } from '../../contract/shapes.ts'

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })

export type Choice = { value: string; label: string }

export const nameOfLanguage = (code: string) => languageNames.of(code) ?? code
export const nameOfCurrency = (code: string) => currencyNames.of(code) ?? code

export const languageChoices: Choice[] = languages
  .map((value) => ({ value, label: nameOfLanguage(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

/** `EUR, Euro`: found by either. */
export const currencyChoices = (): Choice[] =>
  Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value}, ${nameOfCurrency(value)}` }))

/** Browsers leave UTC out, and know fewer names than the server may have kept. */
export const timeZoneChoices = (current: string): Choice[] =>
  [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: nameOfTimeZone(value),
  }))

/** `America/New York, GMT-4` */
export function nameOfTimeZone(zone: string) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts()
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value
  return zone === offset || zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')}, ${offset}`
}
