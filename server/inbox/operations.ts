import type { conversations } from '../../contract/conversations.ts'
import type { inboxSettings } from '../../contract/inbox-settings.ts'
import type { inboxViews } from '../../contract/inbox-views.ts'
import type { messages } from '../../contract/messages.ts'
import type { optOuts } from '../../contract/opt-outs.ts'
import type { proposals } from '../../contract/proposals.ts'
import type { Files } from '../files/queries.ts'
import type { Handlers } from '../kernel/run.ts'
import type { Outbound } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { bodyOperations } from './body/operations.ts'
import type { ChannelKinds } from './channels/channel.ts'
import { settingsOperations } from './channels/settings.ts'
import { optOutOperations } from './people/opt-out.ts'
import { proposalOperations } from './proposals/operations.ts'
import { conversationOperations } from './triage/operations.ts'
import { inboxViewOperations } from './triage/views.ts'
import { draftOperations } from './writing/drafts.ts'
import { messageOperations } from './writing/operations.ts'
import { templateOperations } from './writing/template-operations.ts'

type Services = { files: Files; baseUrl: URL; vault: Vault; outbound: Outbound; channelKinds: ChannelKinds }
type All = typeof conversations &
  typeof inboxViews &
  typeof messages &
  typeof proposals &
  typeof inboxSettings &
  typeof optOuts

export const inboxOperations = (services: Services): Handlers<All> => ({
  ...conversationOperations,
  ...inboxViewOperations,
  ...bodyOperations(services),
  ...messageOperations(services),
  ...draftOperations,
  ...templateOperations,
  ...proposalOperations(services),
  ...settingsOperations,
  ...optOutOperations(services),
})
