import type { csvOperations as contract } from '../../../contract/csv.ts'
import type { Files } from '../../files/queries.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Handlers } from '../../kernel/run.ts'

export const csvOperations = ({ files }: { files: Files }): Handlers<typeof contract> => ({
  async exportRecords() {
    throw new AppError('unavailable', `Not built yet (${files.quotaBytes}).`)
  },
  async previewImport() {
    throw new AppError('unavailable', 'Not built yet.')
  },
  async importRecords() {
    throw new AppError('unavailable', 'Not built yet.')
  },
})
