import type { FieldError } from '../../../contract/shared/errors.ts'
import type { ObjectContext, Origin } from '../values/built-in-values.ts'
import type { Values } from '../values/from-row.ts'
import { lineFaults } from './deals/line.ts'
import { dealFaults } from './deals/stage.ts'

/** What the built-in objects do not allow. */
export const builtInFaults = (place: ObjectContext, values: Values, origin: Origin, path: string): FieldError[] => [
  ...dealFaults(place, values, origin, path),
  ...lineFaults(place, values, origin.before, path),
]
