// Values that are derived from others.
import type { FieldError } from '../../../contract/errors.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Values } from './from-row.ts'

/**
 * The status of a deal follows from its stage, and closing it sets the closing time. An activity without a time gets the
 * current time.
 */
export function derive(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  if (object.key === 'activities' && !before && object.byKey.has('at')) return { at: now.toISOString(), ...values }
  if (object.key !== 'deals') return values
  const stage = object.byKey.get('stage')?.options?.find(({ key }) => key === values.stage)
  const status = stage?.kind ?? 'open'
  const isClosing = status !== 'open' && before?.status !== status
  const closed_at =
    status === 'open' ? undefined : isClosing ? (values.closed_at ?? now.toISOString()) : values.closed_at
  const { closed_at: _, ...rest } = values
  return { ...rest, status, ...(closed_at !== undefined && { closed_at }) }
}

/** Errors for values that contradict the derived ones. */
export function contradictions(object: ObjectSchema, sent: Values, derived: Values, path: string): FieldError[] {
  const isClosedTooSoon = object.key === 'deals' && !isEmpty(sent.closed_at) && derived.status === 'open'
  return isClosedTooSoon
    ? [
        {
          path: `${path}.closed_at`,
          message: 'Only a won or lost deal has a closing time. Change its stage as well',
        },
      ]
    : []
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
