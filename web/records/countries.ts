// The countries as someone sees them: by name, in their own language.
import { countryCodes, countryName, isCountry, readCountry } from '../../contract/countries.ts'
import { fold } from '../../contract/filter/fold.ts'
import { shownLanguage } from './value-text.ts'

export type Country = { code: string; name: string }

let sorted: { language: string; countries: Country[] } | undefined

function allCountries() {
  const language = shownLanguage()
  const { compare } = new Intl.Collator(language)
  if (sorted?.language !== language) {
    const countries = countryCodes.map((code) => ({ code, name: countryName(code, language) }))
    sorted = { language, countries: countries.sort((a, b) => compare(a.name, b.name)) }
  }
  return sorted.countries
}

/** The one that was named comes first, then those whose name begins with the text, then those that have it. */
export function findCountries(text: string): Country[] {
  const wanted = fold(text.trim())
  const named = readCountry(text, [shownLanguage()])
  const rank = ({ code, name }: Country) => {
    if (code === named) return 0
    const at = fold(name).indexOf(wanted)
    return at === 0 ? 1 : at > 0 ? 2 : 3
  }
  const ranked = allCountries().map((country) => ({ country, rank: rank(country) }))
  return [0, 1, 2].flatMap((wanted) => ranked.filter(({ rank }) => rank === wanted).map(({ country }) => country))
}

/** What is kept for a text: the code of the country that it names, or the text itself. */
export const countryOf = (text: string) => readCountry(text, [shownLanguage()]) ?? text

export { isCountry }
