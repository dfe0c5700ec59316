import type { changes } from '../../../contract/changes.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Handlers } from '../../kernel/run.ts'
import { listChanges } from './list.ts'
import { changesToUndo, undo } from './undo.ts'

export const changeOperations: Handlers<typeof changes> = {
  listChanges,

  async undoChanges(context, { change_set_ids, dry_run, ...window }) {
    if (!change_set_ids && Object.values(window).every((value) => value === undefined)) throw nothingNamed()
    const found = await changesToUndo(context, change_set_ids, window)
    return undo(context, found, dry_run)
  },
}

function nothingNamed() {
  const message =
    'Name change_set_ids, which writes and list_changes return, or a time window: since alone undoes what this key did, with api_key_id or client what those did'
  return new AppError('invalid_input', `${message}.`, { errors: [{ path: 'change_set_ids', message }] })
}
