import { actorOf } from '../../kernel/context.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from './from-row.ts'

/** A record that is about to be created. */
export function newRow({ context, object }: Target, id: string, values: Values, owner_id: string | null): Stored {
  const now = context.now.toISOString()
  const { user_id } = actorOf(context)
  return {
    id,
    object_id: object.id,
    values,
    title: '',
    owner_id,
    created_at: now,
    created_by: user_id,
    updated_at: now,
    last_activity_at: null,
    deleted_at: null,
    version: 0,
  }
}
