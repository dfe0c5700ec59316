import type { changes } from '../../../contract/changes.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Handlers } from '../../kernel/run.ts'
import { listChanges } from './list.ts'
import { changesToUndo, undo } from './undo.ts'

export const changeOperations: Handlers<typeof changes> = {
  listChanges,

  async undoChanges(context, { change_set_ids, dry_run, ...window }) {
    if (!change_set_ids && Object.values(window).every((value) => value === undefined)) throw missingSelection()
    const changes = await changesToUndo(context, change_set_ids, window)
    return undo(context, changes, dry_run)
  },
}

function missingSelection() {
  const message =
    'Send change_set_ids, which writes and list_changes return, or a time window. "since" alone undoes what this key did; add api_key_id or client to undo what another key or client did'
  return new AppError('invalid_input', `${message}.`, { errors: [{ path: 'change_set_ids', message }] })
}
