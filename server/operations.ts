import type { contract } from '../contract/index.ts'
import { accountLinkOperations } from './account-links/operations.ts'
import { apiKeyOperations } from './api-keys/operations.ts'
import { auditOperations } from './audit/operations.ts'
import { changeOperations } from './changes/operations.ts'
import { companyOperations } from './company/operations.ts'
import type { Handlers } from './kernel/run.ts'
import type { Vault } from './kernel/vault.ts'
import type { Mailer } from './mail/mailer.ts'
import { mailOperations } from './mail/operations.ts'
import { meOperations } from './members/me.ts'
import { memberOperations } from './members/operations.ts'
import { notificationOperations } from './notifications/operations.ts'
import { objectOperations } from './objects/operations.ts'
import { passkeyOperations } from './passkeys/operations.ts'
import { pictureOperations } from './pictures/operations.ts'
import { recordOperations } from './records/operations.ts'
import { requestOperations } from './requests/operations.ts'
import { roleOperations } from './roles/operations.ts'
import { searchOperations } from './search/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { setUpOperations } from './set-up/operations.ts'
import { twoFactorOperations } from './two-factor/operations.ts'
import { viewOperations } from './views/operations.ts'

/** What handlers need of the installation that they run in. Each takes the part that it uses. */
export type House = {
  baseUrl: URL
  vault: Vault
  mailer: Mailer
  openSignup: boolean
  setUpToken: string | null
}

/** Every handler of the product. */
export const operations = (house: House) =>
  ({
    ...setUpOperations(house),
    ...sessionOperations(house),
    ...accountLinkOperations(house),
    ...twoFactorOperations(house),
    ...passkeyOperations(house),
    ...meOperations,
    ...notificationOperations,
    ...companyOperations,
    ...mailOperations(house),
    ...memberOperations(house),
    ...roleOperations,
    ...pictureOperations,
    ...objectOperations,
    ...recordOperations,
    ...searchOperations,
    ...viewOperations,
    ...apiKeyOperations,
    ...changeOperations,
    ...auditOperations,
    ...requestOperations,
  }) satisfies Handlers<typeof contract>
