import { comparedAs } from '../../../contract/built-in/compared.ts'
import { builtInName } from './built-in.ts'
import type { ObjectShape } from './schema.ts'

/** Kith looks for duplicates among records of this object, and this user may see them. */
export const isCompared = (object: ObjectShape) =>
  object.rights.read !== 'none' && comparedAs(builtInName(object)) !== undefined
