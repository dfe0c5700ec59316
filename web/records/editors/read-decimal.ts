import { thousandsMark } from '../../ui/numbers.ts'

/**
 * A number as people type it, written with a point: 1,5 and 1.5 and 1 250,00 and 1,250.00 and 1'250.
 * Of two kinds of marks the last one is that of the decimals; a single one that the language writes between thousands,
 * before three digits, is that: 1,250 in English, 1.250 in German. Nothing for all else.
 */
export function readDecimal(typed: string): string | undefined {
  const text = typed
    .trim()
    .replace(/[\s'’\u00a0\u202f]/g, '')
    .replace(/^[−–]/, '-')
  const mark = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  if (mark < 0) return /^-?\d+$/.test(text) ? text : undefined
  const other = text[mark] === ',' ? '.' : ','
  const whole = text.slice(0, mark)
  const isGrouped = whole.includes(other) || whole.includes(text[mark]!)
  if (isGrouped && !/^-?\d{1,3}([.,]\d{3})+$/.test(whole)) return undefined
  const decimals = text.slice(mark + 1)
  const isThousand = text[mark] === thousandsMark() && /^-?[1-9]\d{0,2}$/.test(whole) && /^\d{3}$/.test(decimals)
  // 1,250,000 has only marks of thousands.
  const hasNoDecimals = isThousand || whole.includes(text[mark]!)
  const plain = whole.replace(/[.,]/g, '') || '0'
  const read = hasNoDecimals ? plain + decimals : `${plain === '-' ? '-0' : plain}.${decimals}`
  return /^-?\d+(\.\d+)?$/.test(read) ? read : undefined
}
