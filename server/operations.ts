import type { contract } from '../contract/index.ts'
import { apiKeyOperations } from './accounts/api-keys/operations.ts'
import { accountLinkOperations } from './accounts/links/operations.ts'
import { meOperations } from './accounts/members/me.ts'
import { navigationOperations } from './accounts/members/navigation.ts'
import { memberOperations } from './accounts/members/operations.ts'
import { passkeyOperations } from './accounts/passkeys/operations.ts'
import { roleOperations } from './accounts/roles/operations.ts'
import { setUpOperations } from './accounts/set-up/operations.ts'
import { sessionOperations } from './accounts/sign-in/operations.ts'
import { twoFactorOperations } from './accounts/two-factor/operations.ts'
import { auditOperations } from './audit/operations.ts'
import { apiChannelOperations } from './channels/api/operations.ts'
import type { GatewayWaiting } from './channels/api/waiting-gateways.ts'
import { chatOperations } from './channels/chat/operations.ts'
import type { ChatWaiting } from './channels/chat/waiting-visitors.ts'
import type { MailboxServices } from './channels/email/mailbox.ts'
import { mailboxOperations } from './channels/email/operations.ts'
import type { ProviderAddresses } from './channels/gateway/call-provider.ts'
import { gatewayKindOperations } from './channels/operations.ts'
import { companyOperations } from './company/operations.ts'
import { dashboardOperations } from './dashboards/operations.ts'
import { whenFilled } from './demo/when-filled.ts'
import { aggregateOperations } from './engine/aggregates/operations.ts'
import { csvOperations } from './engine/csv/operations.ts'
import { dealOperations } from './engine/deals/operations.ts'
import { startExport } from './engine/exports/export.ts'
import { changeOperations } from './engine/history/operations.ts'
import { moveOperations } from './engine/moves/operations.ts'
import { objectOperations } from './engine/objects/operations.ts'
import { pipelineOperations } from './engine/pipelines/operations.ts'
import { findRecordFile, recordFileOperations } from './engine/record-files/operations.ts'
import { duplicateOperations } from './engine/records/duplicates.ts'
import { recordOperations } from './engine/records/operations.ts'
import { searchOperations } from './engine/search/operations.ts'
import { viewOperations } from './engine/views/operations.ts'
import { fileOperations } from './files/operations.ts'
import type { Files } from './files/queries.ts'
import { fileOfMessage } from './inbox/body/operations.ts'
import type { ChannelKinds } from './inbox/channels/channel.ts'
import { inboxOperations } from './inbox/operations.ts'
import { ruleOperations } from './inbox/rules/operations.ts'
import { targetOperations } from './inbox/targets/operations.ts'
import { jobOperations } from './jobs/operations.ts'
import { healthOperations } from './kernel/health.ts'
import type { Handlers } from './kernel/run.ts'
import { sendingOperations } from './lead-routing/operations.ts'
import { leadOperations } from './leads/forms/operations.ts'
import type { Rates } from './leads/forms/spam.ts'
import type { Mailer } from './mail/mailer.ts'
import { mailOperations } from './mail/operations.ts'
import { notificationOperations } from './notifications/operations.ts'
import { notificationRuleOperations } from './notifications/rules.ts'
import { pictureOperations } from './pictures/operations.ts'
import type { Log } from './platform/log.ts'
import type { Offload } from './platform/offload.ts'
import type { Outbound } from './platform/public-fetch.ts'
import type { Vault } from './platform/vault.ts'
import { requestOperations } from './requests/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'
import { workingHoursOperations } from './working-hours/operations.ts'

/** What handlers need from the installation. Each takes only what it uses. */
export type Services = {
  baseUrl: URL
  vault: Vault
  mailer: Mailer
  openSignup: boolean
  demo?: boolean
  setUpToken: string | null
  files: Files
  offload: Offload
  outbound: Outbound
  channelKinds: ChannelKinds
  mailboxes: MailboxServices
  /** Where the APIs of providers of messaging are. */
  providers: ProviderAddresses
  /** How often forms may be sent, and chats written in. */
  formRates: Rates
  /** Pages of websites that wait for news of their chat, and gateways that wait for messages. */
  chatWaiting?: ChatWaiting
  gatewayWaiting?: GatewayWaiting
  log: Log
}

/** The handlers of all operations. */
export const operations = (services: Services) =>
  ({
    ...setUpOperations({ ...services, whenReady: services.demo ? whenFilled : undefined }),
    ...sessionOperations(services),
    ...accountLinkOperations(services),
    ...twoFactorOperations(services),
    ...passkeyOperations(services),
    ...meOperations(services),
    ...navigationOperations,
    ...notificationOperations(services),
    ...notificationRuleOperations,
    ...companyOperations(services),
    ...workingHoursOperations,
    ...mailOperations(services),
    ...memberOperations(services),
    ...roleOperations,
    ...pictureOperations(services),
    ...fileOperations({ files: services.files, findRecordFile }),
    ...objectOperations,
    ...recordOperations,
    ...recordFileOperations({ ...services, fileOfMessage: fileOfMessage(services.files) }),
    ...duplicateOperations,
    ...aggregateOperations,
    ...pipelineOperations,
    ...dealOperations,
    ...csvOperations(services),
    exportRecords: startExport,
    ...moveOperations(services),
    ...searchOperations,
    ...viewOperations,
    ...dashboardOperations,
    ...apiKeyOperations,
    ...changeOperations(services),
    ...jobOperations,
    ...webhookOperations(services),
    ...leadOperations(services),
    ...sendingOperations(services),
    ...inboxOperations(services),
    ...ruleOperations(services),
    ...targetOperations,
    ...mailboxOperations(services),
    ...apiChannelOperations(services),
    ...gatewayKindOperations(services),
    ...chatOperations(services),
    ...auditOperations,
    ...requestOperations,
    ...healthOperations,
  }) satisfies Handlers<typeof contract>
