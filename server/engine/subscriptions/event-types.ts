// The events that a change to a record fires: one of each type that applies, whatever caused the change.
import { own } from '../../../contract/own.ts'
import type { RecordEventType } from '../../../contract/record-events.ts'
import type { Patch } from '../../kernel/context.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Action } from '../schema/subscription.ts'

export function eventTypesOf(object: ObjectSchema, action: Action, fields: Patch): RecordEventType[] {
  const types: RecordEventType[] = [`record.${action}`]
  if (object.built_in_key !== 'deals' || (action !== 'created' && action !== 'updated')) return types
  const changed = (key: string) => own(fields, object.builtIn.get(key)?.key ?? '')
  if (!changed('stage')) return types
  // A new deal changes no stage, but it may already be won or lost.
  if (action === 'updated') types.push('deal.stage_changed')
  const status = changed('status')?.to
  if (status === 'won' || status === 'lost') types.push(`deal.${status}`)
  return types
}
