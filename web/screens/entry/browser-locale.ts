import { languages } from '../../../contract/shapes.ts'

type Language = (typeof languages)[number]

/** What a new company starts with: the time zone of this browser and the nearest language that Kith knows. */
export const browserLocale = () => ({
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: nearestLanguage(navigator.languages),
})

function nearestLanguage(wished: readonly string[]): Language | undefined {
  for (const wish of wished) {
    const exact = languages.find((known) => known.toLowerCase() === wish.toLowerCase())
    const near = exact ?? languages.find((known) => known.startsWith(`${baseOf(wish)}-`))
    if (near) return near
  }
  return undefined
}

/** Browsers still call Norwegian by the name that covers both of its written forms. */
const baseOf = (tag: string) =>
  tag
    .toLowerCase()
    .split('-')[0]!
    .replace(/^(no|nn)$/, 'nb')
