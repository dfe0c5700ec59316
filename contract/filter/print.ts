// Prints a tree as text, with only the quotes and parentheses it needs. parse(print(tree)) is the same tree.

import { meaningOf } from './bare-words.ts'
import { printPath } from './path.ts'
import { quote } from './strings.ts'
import { type Condition, type Filter, operators, type Value, valuesOf } from './tree.ts'

export function print(filter: Filter): string {
  if ('and' in filter)
    return filter.and.map((part) => ('and' in part || 'or' in part ? bracketed(part) : print(part))).join(' and ')
  if ('or' in filter) return filter.or.map((part) => ('or' in part ? bracketed(part) : print(part))).join(' or ')
  if ('not' in filter)
    return `not ${'and' in filter.not || 'or' in filter.not || 'not' in filter.not ? bracketed(filter.not) : print(filter.not)}`
  if ('any' in filter) return `any(${printPath(filter.any)}: ${print(filter.where)})`
  if ('none' in filter) return `none(${printPath(filter.none)}: ${print(filter.where)})`
  if ('search' in filter) return `search(${quote(filter.search)})`
  if ('quiet_for' in filter) return `quiet for ${filter.quiet_for}`
  return printCondition(filter)
}

const bracketed = (filter: Filter) => `(${print(filter)})`

function printCondition(condition: Condition) {
  const { text, operands } = operators[condition.op]
  const start = `${printPath(condition.field)} ${text}`
  const values = valuesOf(condition)
  if (operands === 'none') return start
  if (operands === 'pair') return `${start} ${values.map(printValue).join(' and ')}`
  const [first] = values
  const lone = operands === 'one' || (values.length === 1 && typeof first === 'object' && 'range' in first)
  return lone ? `${start} ${printValue(first!)}` : `${start} (${values.map(printValue).join(', ')})`
}

export function printValue(value: Value): string {
  if (typeof value === 'number') return printNumber(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'object') return 'me' in value ? 'me' : 'relative' in value ? value.relative : value.range
  return meaningOf(value) === value ? value : quote(value)
}

/** The language has no exponents: 1e-7 is written 0.0000001. */
function printNumber(value: number) {
  const [digits, exponent] = String(value).split('e-') as [string, string?]
  if (!exponent) return digits
  const plain = digits.replace(/[-.]/g, '')
  return `${value < 0 ? '-' : ''}0.${plain.padStart(Number(exponent) + plain.length - 1, '0')}`
}
