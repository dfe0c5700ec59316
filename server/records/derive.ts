// Values that follow from others.
import type { ObjectSchema } from '../objects/schema.ts'
import type { Values } from './values.ts'

/** A deal's status follows the kind of its stage, and the moment it is closed is kept. */
export function derive(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  if (object.key !== 'deals') return values
  const stage = object.byKey.get('stage')?.options?.find(({ key }) => key === values.stage)
  const status = stage?.kind ?? 'open'
  const isClosing = status !== 'open' && before?.status !== status
  const closed_at =
    status === 'open' ? undefined : isClosing ? (values.closed_at ?? now.toISOString()) : values.closed_at
  const { closed_at: _, ...rest } = values
  return { ...rest, status, ...(closed_at !== undefined && { closed_at }) }
}
