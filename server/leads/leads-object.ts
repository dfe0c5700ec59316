// The object Leads, which a company may have archived.
import type { ObjectSchema, Schema } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'

export function leadsOf(schema: Schema): ObjectSchema {
  const leads = schema.builtIn.get('leads')
  if (leads && !leads.archived_at) return leads
  throw new AppError('not_found', 'The object Leads is archived. An Admin can restore it.')
}
