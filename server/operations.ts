import type { contract } from '../contract/index.ts'
import { apiKeyOperations } from './api-keys/operations.ts'
import { auditOperations } from './audit/operations.ts'
import { changeOperations } from './changes/operations.ts'
import { companyOperations } from './company/operations.ts'
import type { Handlers } from './kernel/run.ts'
import { memberOperations, meOperations } from './members/operations.ts'
import { requestOperations } from './requests/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { setUpOperations } from './set-up/operations.ts'

/** Every handler of the product. */
export const operations = ({ setUpToken }: { setUpToken: string | null }) =>
  ({
    ...setUpOperations(setUpToken),
    ...sessionOperations,
    ...meOperations,
    ...companyOperations,
    ...memberOperations,
    ...apiKeyOperations,
    ...changeOperations,
    ...auditOperations,
    ...requestOperations,
  }) satisfies Handlers<typeof contract>
