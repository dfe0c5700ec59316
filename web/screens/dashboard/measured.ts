// Figures as text.
import { readMeasure } from '../../../contract/aggregates.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { isLeads } from '../../records/data/leads.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { asCompactMoney, asDate, asRoundMoney } from '../../records/data/value-text.ts'
import { calculationNames } from '../../records/lists/calculations.ts'
import type { Cell } from '../../ui/charts/to-csv.ts'
import { asDuration } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import type { Figure } from './dashboard-api.ts'

type Measured = Pick<Figure, 'values' | 'unconverted'>

/** The measure as a number, for charts. */
export function numberIn({ values }: Pick<Figure, 'values'>, measure: string) {
  const value = values[measure]
  return typeof value === 'number' ? value : null
}

/** The measure with its unit. Sums name the amounts that have no exchange rate. */
export function textIn(figure: Measured, measure: string, object: ObjectShape | undefined, currency: string | null) {
  const value = figure.values[measure]
  if (value === null || value === undefined) return '–'
  const read = readMeasure(measure)
  if (read.name === 'count' || read.name === 'distinct' || read.name === 'filled') return asNumber(Number(value))
  const type = object?.byKey.get(read.field)?.type
  if (typeof value === 'string') return type === 'date' || type === 'datetime' ? asDate(value.slice(0, 10)) : value
  if (isMinutes(object, read.field)) return asDuration(value)
  if (type !== 'money') return asNumber(Math.round(value * 100) / 100)
  const rest = isSum(read.name) ? unconvertedOf(figure, read.field) : []
  if (!value && rest.length) return rest.join(' + ')
  return [currency ? asRoundMoney(value, currency) : asNumber(value), ...rest].join(' + ')
}

const isSum = (name: string) => name === 'sum' || name === 'sum_not_lost'

/** How long leads waited is stored in minutes. */
const isMinutes = (object: ObjectShape | undefined, key: string) =>
  object !== undefined && isLeads(object) && builtInField(object, 'response_minutes')?.key === key

/** The measure for a file: as text, and as the number behind it, unless amounts without a rate belong to it. */
export function cellIn(...[figure, measure, object, currency]: Parameters<typeof textIn>): Cell {
  const read = readMeasure(measure)
  const isWhole = read.name === 'count' || !isSum(read.name) || !unconvertedOf(figure, read.field).length
  const text = textIn(figure, measure, object, currency)
  return isWhole ? { text, value: numberIn(figure, measure) } : { text }
}

/** How the values of a measure stand beside an axis: amounts of money have their currency. */
export function axisFormat(measure: string, object: ObjectShape | undefined, currency: string | null) {
  const read = readMeasure(measure)
  if ('field' in read && isMinutes(object, read.field)) return { format: asDuration }
  const isMoney = 'field' in read && object?.byKey.get(read.field)?.type === 'money'
  return isMoney && currency ? { format: (value: number) => asCompactMoney(value, currency) } : {}
}

const unconvertedOf = ({ unconverted }: Measured, field: string) =>
  unconverted.filter((one) => one.field === field && one.sum).map(({ sum, currency }) => asRoundMoney(sum, currency))

/** What a measure is called: "Deals", "Sum of Amount". */
export function nameOfMeasure(measure: string, object: ObjectShape | undefined) {
  const read = readMeasure(measure)
  if (read.name === 'count') return object?.label_plural ?? 'Count'
  const label = object?.byKey.get(read.field)?.label ?? read.field
  if (read.name === 'weighted') return `Weighted ${label}`
  if (read.name === 'sum') return `Sum of ${label}`
  if (read.name === 'sum_not_lost') return `Sum of ${label} excluding lost`
  return `${read.name === 'distinct' ? calculationNames.unique : calculationNames[read.name]} ${label}`
}

/** The first measure of this kind in the answer, whatever the key of its field is. */
export const measureLike = (figures: Measured[], name: string) =>
  Object.keys(figures[0]?.values ?? {}).find((measure) => readMeasure(measure).name === name) ?? 'count'
