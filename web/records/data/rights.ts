import { useSignedIn } from '../../client/session.ts'
import { isBuiltIn } from './built-in.ts'
import type { RecordShape } from './records-api.ts'
import type { ObjectShape } from './schema.ts'

/** What one may do with this very record, as the server will see it. */
export function useRights(object: ObjectShape | undefined) {
  const { me } = useSignedIn()
  const may = (right: 'edit' | 'delete', record: RecordShape) => {
    const reach = object?.rights[right] ?? 'none'
    return reach === 'own' ? isOwn(object!, record, me.id) : reach === 'all'
  }
  return {
    mayEdit: (record: RecordShape) => may('edit', record),
    mayDelete: (record: RecordShape) => may('delete', record),
  }
}

function isOwn(object: ObjectShape, record: RecordShape, me: string) {
  if (record.owner === me) return true
  if (isBuiltIn(object, 'tasks')) return record.assignee === me
  return creatorOwns(object) && record.created_by === me
}

/** The same as a filter. */
export function ownFilter(object: ObjectShape) {
  if (isBuiltIn(object, 'tasks')) return '(owner = me or assignee = me)'
  return creatorOwns(object) ? '(owner = me or created_by = me)' : 'owner = me'
}

const creatorOwns = (object: ObjectShape) => isBuiltIn(object, 'notes', 'activities')
