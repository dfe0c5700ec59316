import * as z from 'zod'
import { mostPictureKb } from './limits.ts'

// Schemas that several resources share.

export const id = z.uuid()
export const moment = z.iso.datetime()
/** A time in the input, with any offset, converted to UTC. */
export const givenMoment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'Use a time such as 2026-11-17T09:00:00Z or 2026-11-17T10:00:00+01:00',
  })
  .overwrite((text) => new Date(text).toISOString())
  .refine((text) => /^[1-9]\d{3}-/.test(text), 'Use a year from 1000 to 9999')
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Enter an email address such as ada@example.com'))

// Joiners are allowed: scripts and emoji need them. Direction overrides and invisible fillers only serve to deceive.
export const deceptive = /[\p{Cc}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/u

/** The name of a person or thing, on one line. */
export const nameOf = (missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(100)
    .refine((text) => !deceptive.test(text), 'Remove line breaks and invisible control characters')
/** A subject, as mail can have it. */
export const inOneLine = (text: z.ZodString) =>
  text.refine((line) => !/[\p{Cc}\u2028\u2029]/u.test(line), 'Remove line breaks and control characters')
export const personName = nameOf('Enter a name')
export const password = z
  .string()
  .min(8, 'Use at least 8 characters; 15 or more is stronger')
  .max(128, 'Use at most 128 characters')

/** A picture as base64. The limit is low because the web app scales pictures down before it sends them. */
export const image = z
  .base64('Send the image as base64')
  .min(1, 'Choose an image')
  .max(350_000, `Use an image of at most ${mostPictureKb} kB`)
  .describe(`PNG, JPEG or WebP as base64, at most ${mostPictureKb} kB`)

/** Decides the format of dates, numbers and money. */
export const languages = [
  'en-US',
  'en-GB',
  'en-CA',
  'en-AU',
  'de-DE',
  'de-AT',
  'de-CH',
  'fr-FR',
  'fr-CA',
  'es-ES',
  'es-MX',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'pt-PT',
  'pl-PL',
  'cs-CZ',
  'sv-SE',
  'da-DK',
  'nb-NO',
  'fi-FI',
  'tr-TR',
  'uk-UA',
  'ar-EG',
  'he-IL',
  'hi-IN',
  'ja-JP',
  'ko-KR',
  'zh-CN',
] as const
export const language = z.enum(languages)
export const timeZone = z.string().max(100).refine(isTimeZone, 'Use a time zone such as Europe/Berlin')
export const currency = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'Use a currency such as EUR or USD')

function isTimeZone(zone: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    // Thrown for an unknown time zone.
    return false
  }
}

export const page = {
  limit: z.int().min(1).max(100).default(20).describe('Page size'),
  cursor: z.string().max(500).optional().describe('From next_cursor'),
}
/** Of lists that fit on one page in most companies. */
export const fullPage = { ...page, limit: page.limit.unwrap().default(100).describe('Page size') }
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() })

export const nothing = z.strictObject({})
