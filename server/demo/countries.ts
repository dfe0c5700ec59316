// Countries with their cities, languages and a form of phone number. A company sees records of its own country first.
import { type Culture, cultureOf, cultures } from './cultures.ts'
import type { Random } from './random.ts'

/** A culture in one country. */
export type Home = { culture: Culture; country: string; cities: readonly string[]; phone: string }

// Numbers for fiction where a country reserves some. Elsewhere the part after the area code begins with 0, which none does.
const countries: Record<string, readonly [languages: string, cities: string, phone: string]> = {
  US: ['en', 'Chicago, Portland, Austin, Denver', '+1 312 555 01##'],
  GB: ['en', 'Manchester, Bristol, Leeds, Edinburgh', '+44 7700 900###'],
  IE: ['en', 'Dublin, Cork, Galway', '+353 20 91# ####'],
  CA: ['en fr', 'Toronto, Vancouver, Calgary, Montréal', '+1 416 555 01##'],
  AU: ['en', 'Melbourne, Sydney, Brisbane', '+61 2 5550 ####'],
  NZ: ['en', 'Auckland, Wellington, Christchurch', '+64 9 0## ####'],
  DE: ['de', 'Hamburg, Leipzig, München, Köln', '+49 30 23125 ###'],
  AT: ['de', 'Wien, Graz, Linz, Salzburg', '+43 1 0## ####'],
  CH: ['de fr it', 'Zürich, Bern, Basel, Luzern', '+41 44 0## ## ##'],
  FR: ['fr', 'Lyon, Nantes, Lille, Bordeaux', '+33 1 99 00 ## ##'],
  BE: ['nl fr', 'Antwerpen, Gent, Bruxelles, Liège', '+32 2 0## ## ##'],
  ES: ['es', 'Valencia, Madrid, Sevilla, Bilbao', '+34 500 0## ###'],
  MX: ['es', 'Guadalajara, Monterrey, Puebla', '+52 55 0### ####'],
  IT: ['it', 'Milano, Torino, Bologna, Verona', '+39 02 0### ####'],
  NL: ['nl', 'Utrecht, Rotterdam, Eindhoven, Groningen', '+31 20 0## ####'],
  PT: ['pt', 'Porto, Lisboa, Braga', '+351 21 0## ####'],
  BR: ['pt', 'São Paulo, Curitiba, Recife', '+55 11 0### ####'],
  PL: ['pl', 'Wrocław, Kraków, Poznań, Gdańsk', '+48 00 ### ## ##'],
  CZ: ['cs', 'Brno, Praha, Plzeň', '+420 0## ### ###'],
  SE: ['sv', 'Göteborg, Malmö, Uppsala', '+46 8 465 004 ##'],
  DK: ['da', 'Aarhus, Odense, Aalborg', '+45 0# ## ## ##'],
  NO: ['nb', 'Bergen, Trondheim, Stavanger', '+47 0# ## ## ##'],
  FI: ['fi', 'Tampere, Turku, Oulu', '+358 9 0## ####'],
  TR: ['tr', 'İzmir, Bursa, Antalya', '+90 232 0## ## ##'],
  UA: ['uk', 'Львів, Київ, Одеса', '+380 32 0## ####'],
  EG: ['ar', 'القاهرة, الإسكندرية', '+20 2 0### ####'],
  IL: ['he', 'חיפה, תל אביב', '+972 4 0## ####'],
  IN: ['hi', 'पुणे, जयपुर, भोपाल', '+91 20 0### ####'],
  JP: ['ja', '京都, 大阪, 福岡', '+81 75 0## ####'],
  KR: ['ko', '부산, 대전, 인천', '+82 51 0## ####'],
  CN: ['zh', '成都, 杭州, 武汉', '+86 28 0### ####'],
}

/** The country of the company, or of its language if there is no data for the country. */
export function homeOf(country: string, language: string): Home {
  const base = language.split('-')[0]!
  const known = countries[country]
  const spoken = known?.[0].split(' ') ?? [base]
  const culture = cultureOf(spoken.includes(base) ? language : spoken[0]!) ?? cultures[0]!
  return inCountry(culture, known ? country : culture.country)
}

function inCountry(culture: Culture, country: string): Home {
  const [, cities, phone] = countries[country]!
  return { culture, country, cities: cities.split(', '), phone }
}

const neighbours = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pl-PL', 'sv-SE', 'ja-JP', 'tr-TR']

/** A few foreign customers, each from another country. */
export const foreignHomes = (home: Home, count: number): Home[] =>
  neighbours
    .map((language) => cultureOf(language)!)
    .filter((culture) => culture.country !== home.country && culture !== home.culture)
    .slice(0, count)
    .map((culture) => inCountry(culture, culture.country))

export const phoneIn = (random: Random, { phone }: Home) => phone.replaceAll('#', () => String(random.int(0, 9)))
