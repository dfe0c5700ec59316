import { type changes, mostUndone } from '../../../contract/changes.ts'
import type { recordEvents } from '../../../contract/record-events.ts'
import type { timeline } from '../../../contract/timeline.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Handlers } from '../../kernel/run.ts'
import { withTimes } from '../read/since-until.ts'
import { listEvents } from './events.ts'
import { listChanges } from './list.ts'
import { getTimeline } from './timeline.ts'
import { changesToUndo, lastChangeSets } from './undo/select-changes.ts'
import { undo } from './undo/undo-changes.ts'
import { startUndoJob } from './undo/undo-job.ts'

export const changeOperations = ({
  baseUrl,
}: {
  baseUrl: URL
}): Handlers<typeof changes & typeof timeline & typeof recordEvents> => ({
  getTimeline,

  listChanges: async (context, asked) => listChanges(context, await withTimes(context, asked)),
  listEvents: async (context, asked) => listEvents(context, await withTimes(context, asked), baseUrl),

  async undoChanges(context, { change_set_ids: given, last, record_ids, dry_run, ...asked }) {
    const window = await withTimes(context, asked)
    const change_set_ids = last ? [...(given ?? []), ...(await lastChangeSets(context, last))] : given
    if (!change_set_ids && Object.values(window).every((value) => value === undefined)) throw missingSelection()
    const { count, ids, changes, isWhole } = await changesToUndo(context, {
      ids: change_set_ids,
      record_ids,
      ...window,
    })
    const part = { sets: ids, isLast: isWhole, hasWritten: false, isWhole }
    if (count <= mostUndone) return { ...(await undo(context, changes, dry_run, part)), job_id: null }
    const job_id = dry_run ? null : startUndoJob(context, ids, count)
    return { undone: dry_run ? count : 0, left: [], change_set_id: null, job_id, dry_run }
  },
})

function missingSelection() {
  const message =
    'Send change_set_ids, which writes and list_changes return, or a time window. "since" alone undoes what this key did; add api_key_id or client to undo what another key or client did'
  return new AppError('invalid_input', `${message}.`, { errors: [{ path: 'change_set_ids', message }] })
}
