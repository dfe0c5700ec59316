// How wide the columns of a list are until someone changes it.

import { asMinute } from '../../ui/text/moments.ts'
import { textWidth } from '../../ui/text/text-width.ts'
import type { FieldShape } from '../data/schema.ts'
import { asDate, type Money, moneyWithin, usualAmounts } from '../data/value-text.ts'
import type { Calculated } from './calculations.ts'

const cellPadding = 20
const widest = 200
/** As wide as the widest of these texts. */
const around = (texts: string[], least: number) =>
  Math.min(widest, Math.max(least, ...texts.map((text) => textWidth(text) + cellPadding)))
/** The text of an option is smaller, and has its own padding. */
const badgeWidth = ({ label }: { label: string }) => textWidth(label, 12) + 14 + cellPadding

// So that a deal fits beside the sidebar on 1440 pixels, up to its last activity. What is written as the person's
// language does is as wide as that is.
const widths: Partial<Record<FieldShape['type'], number | ((field: FieldShape) => number)>> = {
  boolean: 110,
  number: 110,
  money: () => around(usualAmounts(), 104),
  date: () => around([asDate('2026-11-28')], 118),
  datetime: () => around([asMinute('2026-11-28T22:50:00Z')], 130),
  select: ({ options }) => Math.min(widest, Math.max(104, ...(options ?? []).map(badgeWidth))),
  user: 164,
  email: 236,
  multi_select: 200,
  relation: 172,
  long_text: 280,
}
export const titleWidth = 244
const usualWidth = 160

export function widthOf(field: FieldShape) {
  if (field.key === 'title') return titleWidth
  const width = widths[field.type] ?? usualWidth
  return typeof width === 'number' ? width : width(field)
}

/** An amount in a column of this width. */
export const moneyIn = (width: number, money: Money) =>
  moneyWithin(money, (text) => textWidth(text) <= width - cellPadding)

/** A calculation below a column of this width, or in the heading of a group: in short if the whole does not fit. */
export const calculatedIn = (width: number, { text, short }: Calculated) =>
  short && textWidth(text, 13) > width - cellPadding ? short : text
