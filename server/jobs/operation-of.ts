import type { JobKind } from '../../contract/jobs.ts'

const operations: Record<JobKind, string> = {
  bulk_update: 'bulkUpdateRecords',
  bulk_delete: 'bulkDeleteRecords',
  purge: 'purgeRecords',
  undo: 'undoChanges',
  import: 'importRecords',
  export: 'exportRecords',
}

/** The operation that the history names for what a job changed. */
export const operationOf = ({ kind }: { kind: JobKind }) => operations[kind]
