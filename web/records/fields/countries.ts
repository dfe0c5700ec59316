// The countries as someone sees them: by their English name. They are found by their name in the user's language, too.

import { fold } from '../../../contract/filter/fold.ts'
import { countryCodes, countryName, isCountry, readCountry } from '../../../contract/regions/countries.ts'
import { shownLanguage } from '../data/value-text.ts'

export type Country = { code: string; name: string }

const { compare } = new Intl.Collator('en')
const all = countryCodes
  .map((code): Country => ({ code, name: countryName(code, 'en') }))
  .sort((a, b) => compare(a.name, b.name))

/** The one that was named comes first, then those whose name begins with the text, then those that have it. */
export function findCountries(text: string): Country[] {
  const wanted = fold(text.trim())
  const named = readCountry(text, [shownLanguage()])
  const rank = ({ code, name }: Country) => {
    if (code === named) return 0
    const names = [name, countryName(code, shownLanguage())].map(fold)
    if (names.some((one) => one.startsWith(wanted))) return 1
    return names.some((one) => one.includes(wanted)) ? 2 : 3
  }
  const ranked = all.map((country) => ({ country, rank: rank(country) }))
  return [0, 1, 2].flatMap((wanted) => ranked.filter(({ rank }) => rank === wanted).map(({ country }) => country))
}

/** What is kept for a text: the code of the country that it names, or the text itself. */
export const countryOf = (text: string) => readCountry(text, [shownLanguage()]) ?? text

export { isCountry }
