// What a new company starts with: country, currency, language and time zone. Each suggests the others.

import { languages } from '../shared/shapes.ts'
import { countryCodes, countryOfLanguage } from './countries.ts'

export type Language = (typeof languages)[number]
export type Region = { country: string; currency: string; language: Language; time_zone: string }

// The currency that businesses of a country usually calculate in.
const byCurrency: Record<string, string> = {
  EUR: 'AD AT AX BE BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT BG',
  USD: 'US AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI ZW',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XPF: 'NC PF WF',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'NZ CK NU PN TK',
  GBP: 'GB GG GS IM JE',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  NOK: 'NO BV SJ',
  ILS: 'IL PS',
  MAD: 'MA EH',
  AED: 'AE',
  AFN: 'AF',
  ALL: 'AL',
  AMD: 'AM',
  ANG: 'CW SX',
  AOA: 'AO',
  ARS: 'AR',
  AWG: 'AW',
  AZN: 'AZ',
  BAM: 'BA',
  BBD: 'BB',
  BDT: 'BD',
  BHD: 'BH',
  BIF: 'BI',
  BMD: 'BM',
  BND: 'BN',
  BOB: 'BO',
  BRL: 'BR',
  BSD: 'BS',
  BTN: 'BT',
  BWP: 'BW',
  BYN: 'BY',
  BZD: 'BZ',
  CAD: 'CA',
  CDF: 'CD',
  CLP: 'CL',
  CNY: 'CN',
  COP: 'CO',
  CRC: 'CR',
  CUP: 'CU',
  CVE: 'CV',
  CZK: 'CZ',
  DJF: 'DJ',
  DOP: 'DO',
  DZD: 'DZ',
  EGP: 'EG',
  ERN: 'ER',
  ETB: 'ET',
  FJD: 'FJ',
  FKP: 'FK',
  GEL: 'GE',
  GHS: 'GH',
  GIP: 'GI',
  GMD: 'GM',
  GNF: 'GN',
  GTQ: 'GT',
  GYD: 'GY',
  HKD: 'HK',
  HNL: 'HN',
  HTG: 'HT',
  HUF: 'HU',
  IDR: 'ID',
  INR: 'IN',
  IQD: 'IQ',
  IRR: 'IR',
  ISK: 'IS',
  JMD: 'JM',
  JOD: 'JO',
  JPY: 'JP',
  KES: 'KE',
  KGS: 'KG',
  KHR: 'KH',
  KMF: 'KM',
  KPW: 'KP',
  KRW: 'KR',
  KWD: 'KW',
  KYD: 'KY',
  KZT: 'KZ',
  LAK: 'LA',
  LBP: 'LB',
  LKR: 'LK',
  LRD: 'LR',
  LSL: 'LS',
  LYD: 'LY',
  MDL: 'MD',
  MGA: 'MG',
  MKD: 'MK',
  MMK: 'MM',
  MNT: 'MN',
  MOP: 'MO',
  MRU: 'MR',
  MUR: 'MU',
  MVR: 'MV',
  MWK: 'MW',
  MXN: 'MX',
  MYR: 'MY',
  MZN: 'MZ',
  NAD: 'NA',
  NGN: 'NG',
  NIO: 'NI',
  NPR: 'NP',
  OMR: 'OM',
  PAB: 'PA',
  PEN: 'PE',
  PGK: 'PG',
  PHP: 'PH',
  PKR: 'PK',
  PLN: 'PL',
  PYG: 'PY',
  QAR: 'QA',
  RON: 'RO',
  RSD: 'RS',
  RUB: 'RU',
  RWF: 'RW',
  SAR: 'SA',
  SBD: 'SB',
  SCR: 'SC',
  SDG: 'SD',
  SEK: 'SE',
  SGD: 'SG',
  SHP: 'SH',
  SLE: 'SL',
  SOS: 'SO',
  SRD: 'SR',
  SSP: 'SS',
  STN: 'ST',
  SYP: 'SY',
  SZL: 'SZ',
  THB: 'TH',
  TJS: 'TJ',
  TMT: 'TM',
  TND: 'TN',
  TOP: 'TO',
  TRY: 'TR',
  TTD: 'TT',
  TWD: 'TW',
  TZS: 'TZ',
  UAH: 'UA',
  UGX: 'UG',
  UYU: 'UY',
  UZS: 'UZ',
  VES: 'VE',
  VND: 'VN',
  VUV: 'VU',
  WST: 'WS',
  YER: 'YE',
  ZAR: 'ZA',
  ZMW: 'ZM',
}
const currencies = new Map(
  Object.entries(byCurrency).flatMap(([currency, countries]) =>
    countries.split(' ').map((country): [string, string] => [country, currency]),
  ),
)

export const currencyOf = (country: string) => currencies.get(country)

/** Fills in what is not given. Without anything, a company starts as it always did: in dollars, English and UTC. */
export function fullRegion(given: { [Part in keyof Region]?: Region[Part] | undefined }) {
  const language = given.language ?? languageIn(given.country)
  const country = given.country ?? (given.language && countryOfLanguage(given.language))
  return {
    country: given.country,
    currency: given.currency ?? currencyOf(country ?? 'US') ?? 'USD',
    language,
    time_zone: given.time_zone ?? onlyZoneIn(given.country),
  }
}

const languageIn = (country: string | undefined) => languages.find((one) => countryOfLanguage(one) === country)

/** Of a country with several time zones, none is a good guess. */
function onlyZoneIn(country: string | undefined) {
  const zones = country ? zonesIn(country) : []
  return zones.length === 1 ? zones[0] : undefined
}

/** Empty where the runtime does not know. */
function zonesIn(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?: () => string[] }
  return locale.getTimeZones?.() ?? []
}

/**
 * What a browser says about where its user works. The time zone says more about the country than the language does:
 * many people outside the United States use a browser in American English.
 */
export function regionOfBrowser(wished: readonly string[], time_zone: string): Region {
  const spoken = wished.flatMap((tag) => new Intl.Locale(tag).region ?? [])
  const isHere = (country: string) => zonesIn(country).includes(time_zone)
  const country = spoken.find(isHere) ?? countryCodes.find(isHere) ?? spoken[0] ?? 'US'
  return { country, currency: currencyOf(country) ?? 'USD', language: nearestLanguage(wished, country), time_zone }
}

/** The same language as people of that country write it, if Kith knows it. */
function nearestLanguage(wished: readonly string[], country: string): Language {
  for (const wish of wished) {
    const base = baseOf(wish)
    const near =
      languages.find((known) => known === `${base}-${country}`) ??
      languages.find((known) => known.toLowerCase() === wish.toLowerCase()) ??
      languages.find((known) => known.startsWith(`${base}-`))
    if (near) return near
  }
  return 'en-US'
}

/** Browsers still call Norwegian by the name that covers both of its written forms. */
const baseOf = (tag: string) =>
  tag
    .toLowerCase()
    .split('-')[0]!
    .replace(/^(no|nn)$/, 'nb')
