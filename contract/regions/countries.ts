// Countries by ISO 3166-1 alpha-2 code, plus XK for Kosovo. Intl provides their names in any language.
import { fold } from '../filter/fold.ts'
import { languages as productLanguages } from '../shared/shapes.ts'

export const countryCodes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )
const codes = new Set(countryCodes)

// Common names that Intl does not know.
const otherNames: Record<string, string> = {
  AE: 'UAE,Emirates',
  BA: 'Bosnia',
  BN: 'Brunei Darussalam',
  CD: 'DR Congo,DRC,Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  CN: "PRC,People's Republic of China",
  CV: 'Cabo Verde',
  CZ: 'Czech Republic,Česká republika',
  DE: 'Federal Republic of Germany,Bundesrepublik Deutschland,BRD',
  GB: 'UK,U.K.,Great Britain,Britain,Großbritannien,Grande-Bretagne',
  HK: 'Hong Kong,Hongkong',
  IE: 'Republic of Ireland,Éire',
  IR: 'Islamic Republic of Iran',
  KP: "DPRK,Democratic People's Republic of Korea",
  KR: 'Korea,Republic of Korea',
  LA: "Lao People's Democratic Republic",
  MD: 'Republic of Moldova',
  MK: 'Macedonia',
  MM: 'Myanmar,Burma',
  MO: 'Macao,Macau',
  NL: 'Holland',
  PS: 'Palestine,State of Palestine',
  RU: 'Russian Federation',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Turkey',
  TZ: 'United Republic of Tanzania',
  US: 'USA,U.S.,U.S.A.,United States of America,America',
  VA: 'Vatican,Holy See',
  VN: 'Viet Nam',
}
// Local languages that the product is not available in: people write the names of these countries in them too.
const ownLanguages =
  'AL sq,AM hy,AZ az,BG bg,BY be,EE et,GE ka,GR el,HR hr,HU hu,ID id,IR fa,IS is,KZ kk,LT lt,LV lv,ME sr,MK mk,RO ro,RS sr,RU ru,SI sl,SK sk,TH th,VN vi'

const longestName = 100

export const isCountry = (text: string) => codes.has(text)

/** The country of a language tag: DE for de-DE. */
export const countryOfLanguage = (language: string) => language.split('-')[1]

const regions = new Map<string, Map<string, string>>()

/** The name of a country in a language. Text that is not a country code is returned unchanged. */
export function countryName(code: string, language: string) {
  if (!isCountry(code)) return code
  const names = regions.get(language) ?? namesByCode(language)
  regions.set(language, names)
  return names.get(code)!
}

function namesByCode(language: string) {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return new Map(countryCodes.map((code) => [code, names.of(code) ?? code]))
}

/** The words by which search finds a country: its code, and its name in English and in another language. */
export const countryWords = (text: string, language: string) => {
  const code = readCountry(text, [language])
  return code ? [code, countryName(code, 'en'), countryName(code, language)] : [text]
}

/** The code for a country code or a name in any known language. Names in `languages` take precedence. */
export function readCountry(text: string, languages: readonly string[] = []): string | undefined {
  const code = text.trim().toUpperCase()
  if (isCountry(code)) return code
  if (code.length > longestName) return undefined
  const name = plainName(text)
  for (const language of [...languages, 'en', ...productLanguages]) {
    const found = namesIn(language).get(name)
    if (found) return found
  }
  return otherNamed(name)
}

/** The codes of the countries whose name matches, in English or one of these languages. */
export function countriesNamed(isAlike: (name: string) => boolean, languages: readonly string[]) {
  const all = ['en', ...languages].flatMap((language) => [...namesIn(language)])
  return [...new Set(all.filter(([name]) => isAlike(name)).map(([, code]) => code))]
}

/** Without punctuation: "St. Kitts & Nevis" becomes "st kitts and nevis", "The Gambia" becomes "gambia". */
export const plainName = (text: string) =>
  fold(text)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

type Names = Map<string, string>
const known = new Map<string, Names>()

function namesIn(language: string): Names {
  const names =
    known.get(language) ?? new Map(countryCodes.map((code) => [plainName(countryName(code, language)), code]))
  known.set(language, names)
  return names
}

let others: Names | undefined

/** Built on first use, because it takes some time. */
function otherNamed(name: string) {
  others ??= new Map([
    ...ownLanguages.split(',').map((pair): [string, string] => {
      const [code, language] = pair.split(' ') as [string, string]
      return [plainName(countryName(code, language)), code]
    }),
    ...Object.entries(otherNames).flatMap(([code, names]) =>
      names.split(',').map((one): [string, string] => [plainName(one), code]),
    ),
  ])
  return others.get(name)
}
