import type { inboxReport } from '../../../contract/inbox-report.ts'
import type { Handlers } from '../../kernel/run.ts'
import { inboxReportOf } from './report.ts'

export const targetOperations: Handlers<typeof inboxReport> = {
  getInboxReport: { isHeavy: () => true, handle: inboxReportOf },
}
