// The events that a change to a record fires: one of each type that applies, whatever caused the change.

import type { RecordEventType } from '../../../contract/record-events.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Patch } from '../../kernel/context.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Action } from '../schema/subscription.ts'

/** Who made the change: a user, or something that acts for one. */
export type Maker = { user_id: string | null; principal: string | null }

export function eventTypesOf(object: ObjectSchema, action: Action, fields: Patch, by: Maker): RecordEventType[] {
  const types: RecordEventType[] = [`record.${action}`]
  if (action !== 'created' && action !== 'updated') return types
  const changed = (key: string) => own(fields, object.builtIn.get(key)?.key ?? '')
  if (object.built_in_key === 'deals') return [...types, ...ofDeal(action, changed)]
  if (object.built_in_key === 'leads') return [...types, ...ofLead(action, changed, fields, by)]
  return types
}

type Changed = (key: string) => Patch[string] | undefined

function ofDeal(action: Action, changed: Changed): RecordEventType[] {
  if (!changed('stage')) return []
  const status = changed('status')?.to
  // A new deal changes no stage, but it may already be won or lost.
  return [
    ...(action === 'updated' ? ['deal.stage_changed' as const] : []),
    ...(status === 'won' || status === 'lost' ? [`deal.${status}` as const] : []),
  ]
}

function ofLead(action: Action, changed: Changed, fields: Patch, by: Maker): RecordEventType[] {
  const isFromSource = by.principal === 'source'
  const owner = own(fields, 'owner')?.to
  // Someone who takes a lead is not assigned to it.
  const isAssigned = owner && (isFromSource || owner !== by.user_id)
  return [
    ...(isFromSource ? ['lead.submitted' as const] : []),
    ...(isAssigned ? ['lead.assigned' as const] : []),
    ...(action === 'updated' && changed('status')?.to === 'converted' ? ['lead.converted' as const] : []),
    ...(action === 'updated' ? ofSending(changed) : []),
  ]
}

/** A lead that was sent on: someone else took it, no one did, or it came back. */
function ofSending(changed: Changed): RecordEventType[] {
  const sending = changed('sending')?.to
  const to = changed('delivered_to')
  const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)
  return [
    ...(to && countOf(to.to) > countOf(to.from) ? ['lead.delivered' as const] : []),
    ...(sending === 'not_taken' ? ['lead.rejected' as const] : []),
    ...(sending === 'returned' || (to && countOf(to.to) < countOf(to.from)) ? ['lead.returned' as const] : []),
  ]
}
