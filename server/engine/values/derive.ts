// Values that follow from others.
import type { FieldError } from '../../../contract/errors.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Values } from './from-row.ts'

/**
 * A deal's status follows the kind of its stage, and the time it is closed is kept. An activity that does not say when
 * it was is of now.
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

/** What somebody sent and what does not go together with what follows from the rest. */
export function contradictions(object: ObjectSchema, sent: Values, derived: Values, path: string): FieldError[] {
  const isClosedTooSoon = object.key === 'deals' && !isEmpty(sent.closed_at) && derived.status === 'open'
  return isClosedTooSoon
    ? [
        {
          path: `${path}.closed_at`,
          message: 'Only a deal that is won or lost has a closing time. Change its stage too',
        },
      ]
    : []
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
