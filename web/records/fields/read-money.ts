// Amounts of money as people type them: 12,500.50, €15k, 15k EUR, 2,5 Mio. €.
import { asNumber, asTypedDecimal, isUnclear, readDecimal, withLatinDigits, zerosOf } from '../../ui/text/numbers.ts'
import { type Money, shownLanguage } from '../data/value-text.ts'

/**
 * With the sign or the code of its currency, else in the usual one. Undefined for what is no amount; what could be two
 * amounts stays as typed, with both.
 */
export function readMoney(typed: string, usual: string): Money | undefined {
  const text = withLatinDigits(typed).replaceAll('−', '-').replace(/\s+/g, ' ').trim()
  const [, before = '', minus = '', digits = '', after = ''] =
    /^([^\d-]*?)\s*(-?)\s*([\d][\d.,'’ ]*|[.,]\d+)(.*)$/su.exec(text.replace(/^-\s*(\D+)/, '$1-')) ?? []
  if (!digits) return undefined
  const { word, rest } = splitMagnitude(after.trim())
  const names = [before.trim(), rest].filter(Boolean)
  if (names.length > 1) return undefined
  const currency = names[0] === undefined ? usual : currencyOf(names[0], usual)
  const amount = readDecimal(minus + digits.trim() + word)
  if (!currency || amount === undefined) return undefined
  if (word === '' && isUnclear(digits.trim()) && decimalsOf(currency) !== 3)
    return { amount: typed.trim(), currency, meant: meanings(amount) }
  return { amount, currency }
}

/** 1.250 dinars have three decimals. */
const decimalsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits

/** In a form that is read as just this: 1,125 or 1.1250. */
function meanings(amount: string): [string, string] {
  const short = String(Number(amount))
  return [
    asNumber(Number(amount.replace('.', ''))),
    asTypedDecimal(isUnclear(amount) && short === amount ? `${short}0` : short),
  ]
}

/** "k EUR" and "kEUR" are both a thousand euros. */
function splitMagnitude(text: string) {
  for (let end = text.length; end > 0; end--)
    if (zerosOf(text.slice(0, end)) !== undefined && currencyLike.test(text.slice(end)))
      return { word: text.slice(0, end), rest: text.slice(end).trim() }
  return { word: '', rest: text }
}

/** Not in the middle of a word. */
const currencyLike = /^(?:$|[\s\p{Sc}]|[A-Z]{3}$)/u

/** By code, by the sign in the user's language, or by the sign alone, of which the usual currency comes first. */
function currencyOf(name: string, usual: string) {
  const code = name.toUpperCase()
  const all = [usual, 'USD', 'EUR', 'GBP', 'JPY', ...Intl.supportedValuesOf('currency')]
  if (all.includes(code)) return code
  for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const)
    for (const currency of all) if (signOf(currency, currencyDisplay) === name) return currency
  return undefined
}

const signs = new Map<string, string>()

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol') {
  const key = `${shownLanguage()} ${currency} ${currencyDisplay}`
  const format = () =>
    new Intl.NumberFormat(shownLanguage(), { style: 'currency', currency, currencyDisplay })
      .formatToParts(1)
      .find(({ type }) => type === 'currency')?.value ?? ''
  const sign = signs.get(key) ?? withLatinDigits(format()).trim()
  signs.set(key, sign)
  return sign
}
