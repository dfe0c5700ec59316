import type { JobKind } from '../../contract/jobs.ts'

const operations: Record<JobKind, string> = {
  bulk_update: 'bulkUpdateRecords',
  bulk_delete: 'bulkDeleteRecords',
  merge: 'mergeRecords',
  purge: 'purgeRecords',
  undo: 'undoChanges',
  import: 'importRecords',
  move: 'startMove',
  export: 'exportRecords',
  replay: 'replayWebhookEvents',
  mailbox_sync: 'connectMailbox',
}

/** The operation shown in the history for the changes of a job. */
export const operationOf = ({ kind }: { kind: JobKind }) => operations[kind]
