import { withLatinDigits } from './latin-digits.ts'
import { thousandsMark } from './numbers.ts'

const groupedByThree = /^\d{1,3}([.,])\d{3}(\1\d{3})*$/
/** As in India: 12,34,567. */
const groupedByTwo = /^\d{1,2}([.,])(\d{2}\1)*\d{3}$/

/**
 * A number as people type it, written with a point: 1,5 and 1.5 and 1 250,00 and 1,250.00 and 1'250.
 * Of two kinds of marks, the last one stands before the decimals. A single one before three digits is a thousands mark
 * where the user's language uses it as such: 1,250 in English, 1.250 in German. Undefined for everything else.
 */
export function readDecimal(typed: string): string | undefined {
  const text = withLatinDigits(typed)
    .replace(/[\s'’]/g, '')
    .replace(/^[−–]/, '-')
  const sign = text.startsWith('-') ? '-' : ''
  const read = readUnsigned(text.slice(sign.length))
  return read === undefined ? undefined : sign + read
}

function readUnsigned(text: string) {
  if (/^\d+$/.test(text)) return text
  if (isWhole(text)) return text.replace(/[.,]/g, '')
  const mark = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const whole = text.slice(0, mark)
  const decimals = text.slice(mark + 1)
  if (!/^\d+$/.test(decimals) || whole.includes(text[mark]!)) return undefined
  if (/^\d*$/.test(whole)) return `${whole || '0'}.${decimals}`
  return isGrouped(whole) ? `${whole.replace(/[.,]/g, '')}.${decimals}` : undefined
}

const isGrouped = (text: string) => groupedByThree.test(text) || groupedByTwo.test(text)

/** 1,250,000 and 12,34,567 have only thousands marks; in 1,250 the language decides. */
function isWhole(text: string) {
  if (!isGrouped(text) || text.startsWith('0')) return false
  const marks = text.match(/[.,]/g)!
  return marks.length > 1 || marks[0] === thousandsMark()
}
