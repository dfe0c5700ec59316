import type { csvOperations as contract } from '../../../contract/csv.ts'
import type { Handlers } from '../../kernel/run.ts'
import { importRecords, previewImport } from './import.ts'
import type { Reading } from './sources.ts'

export const csvOperations = (reading: Reading): Handlers<Omit<typeof contract, 'exportRecords'>> => ({
  previewImport: previewImport(reading),
  importRecords: importRecords(reading),
})
