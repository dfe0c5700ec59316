import type { inboxReport } from '../../../contract/inbox-report.ts'
import type { workingHours } from '../../../contract/working-hours.ts'
import type { Handlers } from '../../kernel/run.ts'
import { hoursOperations } from './hours-operations.ts'
import { inboxReportOf } from './report.ts'

export const targetOperations: Handlers<typeof workingHours & typeof inboxReport> = {
  ...hoursOperations,
  getInboxReport: { isHeavy: () => true, handle: inboxReportOf },
}
