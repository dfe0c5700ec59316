import type { Context } from '../../kernel/context.ts'
import type { ObjectSchema, Schema } from './schema.ts'

/** What a call on records works with: its object, in the schema of the caller's company. */
export type Target = { context: Context; schema: Schema; object: ObjectSchema }
