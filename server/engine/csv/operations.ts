import type { csvOperations as contract } from '../../../contract/csv.ts'
import type { Files } from '../../files/queries.ts'
import type { Handlers } from '../../kernel/run.ts'
import { startExport } from './export.ts'
import { importRecords, previewImport } from './import.ts'

export const csvOperations = ({ files }: { files: Files }): Handlers<typeof contract> => ({
  exportRecords: startExport,
  previewImport: previewImport(files),
  importRecords: importRecords(files),
})
