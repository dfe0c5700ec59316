// What people entered in the action node, for one item.
import { createHash } from 'node:crypto'
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow'
import type { Field } from '../../kith/schema.ts'

/** Does one operation with one item. */
export type Run = (node: IExecuteFunctions, item: number, fieldsOf: FieldsOf) => Promise<IDataObject[]>
/** The fields of an object that can be written, read once per execution. */
export type FieldsOf = (object: string) => Promise<Field[]>

export const objectIn = (node: IExecuteFunctions, item: number) =>
  node.getNodeParameter('object', item, undefined, { extractValue: true }) as string

export const recordIn = (node: IExecuteFunctions, item: number, name = 'record') =>
  String(node.getNodeParameter(name, item, undefined, { extractValue: true })).trim()

export const textIn = (node: IExecuteFunctions, name: string, item: number) =>
  (node.getNodeParameter(name, item, '') as string).trim() || undefined

/** Lists are typed with commas, chosen from a list, or come from an expression. */
export function listIn(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  const filled = list.map((text) => text.trim()).filter(Boolean)
  return filled.length ? filled : undefined
}

/** n8n has times without a zone from its forms, which are in that of the workflow, and others from expressions. */
export function timeIn(node: IExecuteFunctions, value: unknown) {
  if (!value) return undefined
  const text = String(value)
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  return hasZone ? new Date(text).toISOString() : inZone(text, node.getTimezone())
}

/** The moment at which clocks of this zone show this time. */
function inZone(text: string, timeZone: string) {
  const guess = new Date(`${text.replace(' ', 'T')}Z`)
  const shown = new Date(`${guess.toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`)
  return new Date(2 * guess.getTime() - shown.getTime()).toISOString()
}

/** With "Retry On Fail", n8n repeats a call whose answer was lost. Kith recognizes it and does not write twice. */
export function writing(node: IExecuteFunctions, item: number) {
  const run = node.evaluateExpression('{{ $runIndex }}', item)
  const place = [node.getInstanceId(), node.getWorkflow().id, node.getExecutionId(), node.getNode().id, run, item]
  return { itemIndex: item, idempotencyKey: createHash('sha256').update(place.join(' ')).digest('hex') }
}
