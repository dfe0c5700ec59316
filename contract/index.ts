import './shared/validation-texts.ts'
import { accountLinks } from './account-links.ts'
import { aggregates } from './aggregates.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { changes } from './changes.ts'
import { channels } from './channels.ts'
import { chats } from './chat.ts'
import { company } from './company.ts'
import { conversations } from './conversations.ts'
import { csvOperations } from './csv.ts'
import { dashboards } from './dashboards.ts'
import { deals } from './deals.ts'
import { duplicates } from './duplicates.ts'
import { files } from './files.ts'
import { gatewayKinds } from './gateway-kinds.ts'
import { gateways } from './gateways.ts'
import { health } from './health.ts'
import { inboxReport } from './inbox-report.ts'
import { inboxRules } from './inbox-rules.ts'
import { inboxSettings } from './inbox-settings.ts'
import { inboxViews } from './inbox-views.ts'
import { jobs } from './jobs.ts'
import { leadDeliveries } from './lead-deliveries.ts'
import { leadDestinations } from './lead-destinations.ts'
import { leadForms } from './lead-forms.ts'
import { leadRoutes } from './lead-routes.ts'
import { leadSources } from './lead-sources.ts'
import { leads } from './leads.ts'
import { mail } from './mail.ts'
import { me } from './me.ts'
import { members } from './members.ts'
import { merges } from './merges.ts'
import { messages } from './messages.ts'
import { moves } from './moves.ts'
import { navigation } from './navigation.ts'
import { notificationRules } from './notification-rules.ts'
import { notifications } from './notifications.ts'
import { objects } from './objects.ts'
import { optOuts } from './opt-outs.ts'
import { passkeys } from './passkeys.ts'
import { pictures } from './pictures.ts'
import { pipelines } from './pipelines.ts'
import { proposals } from './proposals.ts'
import { recordEvents } from './record-events.ts'
import { recordFiles } from './record-files.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { roles } from './roles.ts'
import { search } from './search.ts'
import { session } from './session.ts'
import { setUp } from './set-up.ts'
import { timeline } from './timeline.ts'
import { twoFactor } from './two-factor.ts'
import { views } from './views.ts'
import { webhooks } from './webhooks.ts'
import { workingHours } from './working-hours.ts'

/** The whole product as one object. Every transport and the test matrix are derived from it. */
export const contract = {
  ...setUp,
  ...session,
  ...accountLinks,
  ...twoFactor,
  ...passkeys,
  ...me,
  ...navigation,
  ...notifications,
  ...notificationRules,
  ...company,
  ...mail,
  ...members,
  ...roles,
  ...pictures,
  ...files,
  ...objects,
  ...records,
  ...recordFiles,
  ...merges,
  ...duplicates,
  ...aggregates,
  ...pipelines,
  ...deals,
  ...csvOperations,
  ...moves,
  ...search,
  ...views,
  ...dashboards,
  ...apiKeys,
  ...changes,
  ...recordEvents,
  ...timeline,
  ...jobs,
  ...webhooks,
  ...leadSources,
  ...leads,
  ...leadForms,
  ...leadDestinations,
  ...leadRoutes,
  ...leadDeliveries,
  ...channels,
  ...gateways,
  ...gatewayKinds,
  ...chats,
  ...conversations,
  ...messages,
  ...inboxViews,
  ...inboxRules,
  ...workingHours,
  ...inboxReport,
  ...inboxSettings,
  ...optOuts,
  ...proposals,
  ...audit,
  ...requests,
  ...health,
}

export type OperationName = keyof typeof contract
