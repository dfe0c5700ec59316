// What things cost, in the currency of the company and of its customers.
import { currencyOf } from '../../contract/regions/regions.ts'

/** About what one unit is worth in US dollars. */
const inDollars: Record<string, number> = {
  USD: 1,
  EUR: 1.1,
  GBP: 1.27,
  CHF: 1.13,
  CAD: 0.72,
  AUD: 0.65,
  NZD: 0.6,
  PLN: 0.25,
  CZK: 0.044,
  SEK: 0.095,
  DKK: 0.147,
  NOK: 0.094,
  TRY: 0.03,
  UAH: 0.024,
  EGP: 0.02,
  ILS: 0.27,
  INR: 0.012,
  JPY: 0.0066,
  KRW: 0.00073,
  CNY: 0.14,
  MXN: 0.055,
  BRL: 0.18,
}

/** What foreign customers pay in: their own currency if it is widely used, else dollars; but one that can be converted. */
export function currencyFor(country: string, companyCurrency: string) {
  if (!(companyCurrency in inDollars)) return companyCurrency
  const theirs = currencyOf(country) ?? 'USD'
  return [companyCurrency, 'EUR', 'GBP'].includes(theirs) ? theirs : 'USD'
}

/** The value of one unit in the currency of the company, rounded to three digits. */
export const rateOf = (currency: string, companyCurrency: string) =>
  Number((inDollars[currency]! / inDollars[companyCurrency]!).toPrecision(3))

export const ratesFor = (companyCurrency: string) =>
  companyCurrency in inDollars
    ? ['EUR', 'USD', 'GBP']
        .filter((currency) => currency !== companyCurrency)
        .map((currency) => ({ currency, rate: rateOf(currency, companyCurrency) }))
    : []

/** A price in euros as it would be on a price list in that currency: a round number. */
export const priceIn = (euros: number, currency: string) =>
  Number(((euros * inDollars.EUR!) / (inDollars[currency] ?? inDollars.EUR!)).toPrecision(2))

export const money = (amount: number, currency: string) => ({ amount: String(amount), currency })
