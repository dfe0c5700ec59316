// Counts, sums and other calculations over records, as lists show them.
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import { isDeals } from '../data/pipelines.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { asCompactMoney, asShortMoney, textOf } from '../data/value-text.ts'
import type { Calculation } from './list-search.ts'

export type Aggregates = Output<typeof contract.aggregateRecords>
export type AggregateGroup = Aggregates['groups'][number]

export const calculationNames: Record<Calculation, string> = {
  sum: 'Sum',
  average: 'Average',
  min: 'Lowest',
  max: 'Highest',
  filled: 'Filled',
  unique: 'Unique',
  sum_not_lost: 'Sum excluding lost',
}

const counted = ['filled', 'unique'] as const
const numeric = ['sum', 'average', 'min', 'max'] as const

/** What can be computed from the values of a field. Amounts of deals can be summed up without those that are lost. */
export function calculationsOf({ key, type, is_multi }: FieldShape, object: ObjectShape): Calculation[] {
  if (key === 'id' || key.includes('.')) return []
  if (type === 'money') return [...(isDeals(object) ? (['sum_not_lost'] as const) : []), ...numeric, 'filled']
  if (type === 'number') return [...numeric, ...counted]
  if (type === 'date' || type === 'datetime') return ['min', 'max', ...counted]
  return is_multi || type === 'multi_select' || type === 'long_text' ? ['filled'] : [...counted]
}

export const nameOf = (calculation: Calculation, { type }: FieldShape) => {
  const isTime = type === 'date' || type === 'datetime'
  if (isTime && calculation === 'min') return 'Earliest'
  return isTime && calculation === 'max' ? 'Latest' : calculationNames[calculation]
}

/** "Sum of Amount". */
export const phraseOf = (calculation: Calculation, field: FieldShape) =>
  calculation === 'sum_not_lost'
    ? `Sum of ${field.label} excluding lost`
    : `${nameOf(calculation, field)} of ${field.label}`

/** What groups and boards show of amounts. */
export const usualSum = (object: ObjectShape): Calculation => (isDeals(object) ? 'sum_not_lost' : 'sum')

/** The whole sum is asked for, too: where all deals are lost, it is what they amount to. */
export const measuresFor = (key: string, calculation: Calculation) =>
  calculation === 'sum_not_lost'
    ? [measureOf(key, 'sum_not_lost'), measureOf(key, 'sum')]
    : [measureOf(key, calculation)]

/** Of only lost deals, their sum; otherwise without them. */
export const sumIn = (values: Measured['values'], key: string, calculation: Calculation) => {
  const [own, whole] = measuresFor(key, calculation).map((measure) => values[measure])
  const isWhole = whole === undefined || (own === 0 && whole !== 0)
  return { value: isWhole ? (whole ?? own) : own, isWithoutLost: !isWhole && own !== whole }
}

export const measureOf = (key: string, calculation: Calculation) =>
  `${calculation === 'unique' ? 'distinct' : calculation}(${key})`

export type Calculated = { text: string; note: string | undefined; short?: string | undefined }
type Measured = Pick<AggregateGroup, 'values' | 'unconverted'>

/** A calculation as text. Sums name the amounts without an exchange rate; `note` says of others that they miss them, and
 * `short` is an amount for where there is little room. */
export function calculated(
  field: FieldShape,
  calculation: Calculation,
  { values, unconverted }: Measured,
  currency: string | null,
): Calculated {
  const { value, isWithoutLost } = sumIn(values, field.key, calculation)
  if (value === undefined || value === null) return { text: '–', note: undefined }
  const missing = unconverted.filter((one) => one.field === field.key)
  const isCount = calculation === 'filled' || calculation === 'unique'
  if (isCount || typeof value === 'string')
    return { text: typeof value === 'string' ? textOf(field, value) : asNumber(value), note: undefined }
  if (field.type !== 'money') return { text: textOf(field, Math.round(value * 100) / 100), note: undefined }
  const amounts = missing.map(({ sum, currency }) => money(sum, currency))
  const isSum = calculation === 'sum' || calculation === 'sum_not_lost'
  const text = [money(value, currency ?? 'EUR'), ...(isSum ? amounts : [])].join(' + ')
  const short = asCompactMoney(value, currency ?? 'EUR') + (missing.length ? ' + …' : '')
  const rates = missing.length ? [`No exchange rate: ${amounts.join(', ')}`] : []
  const notes = [...(isWithoutLost ? ['Excluding lost deals'] : []), ...rates]
  return { text: rates.length && !isSum ? `${text} *` : text, note: notes.join('. ') || undefined, short }
}

const money = (amount: number, currency: string) => asShortMoney({ amount, currency })
