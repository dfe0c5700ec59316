// Who may call what, written down a second time: if an access in contract/ is loosened by mistake, this table disagrees.
import type { Access } from '../contract/shared/access.ts'

const table: Record<Access, string> = {
  public: `
    acceptInvitation completeSignIn confirmEmail confirmSubmission getMailboxSignInPage fetchOutgoing getChatScript
    getConfirmationPage getForm getFormPage getFormScript getFormStyles getHealth getOptOutPage getReturnPage
    getSession getThankYouPage getUnsubscribePage openChat optOut pollChat postChatMessage postToChannel
    proveWhatsAppAddress getAccountLink getSignUpLink requestPasswordReset requestSignUp resetPassword returnByLink
    markChatRead sendFormPage setUp signIn signInWithPasskey signUp startPasskeySignIn submitForm takeTelegramUpdate
    takeTwilioMessage takeWhatsAppMessage reportVisitorTyping unsubscribe uploadByLink`,
  member: `
    createConversationNote createPasskey assignConversation startMailboxSignIn cancelJob cancelMessage updatePassword
    confirmTwoFactor connectMailbox countConversations createApiKey createConversationLabel createDashboard
    createInboxView createMessageTemplate createNotificationRule createView deleteApiKeys deleteDashboard deleteFile
    deleteInboxView deleteMessageTemplate deleteNotificationRule deleteOptOut deletePasskey deleteView describeSchema
    deleteMessageDraft disconnectChannel downloadFile downloadJobProblems downloadMessageFile downloadProposalFile draftReply deleteSession
    fillMessageTemplate getMailServers completeMailboxSignIn getChannel getCompany getRetentionSettings getConversationChat
    listConversationFields getDashboard getInboxReport getInboxSettings getJob getMessageBody getNavigation
    listNotificationChoices getPicture getProposal getTwoFactor getUser getWorkingHours linkConversation listApiKeys
    listChanges listChannelErrors listChannels listConversationLabels listConversations listDashboards listEvents
    listInboxViews listJobs listMailboxProviders listMessageDrafts listMessageTemplates listMyRequests
    listNotificationRules listNotifications listOptOuts listPasskeys listPipelines listProposals listRoles listSessions listUsers
    listViews markConversationsRead markNotificationsRead mergeConversations queryDashboard previewWidget
    getConversation updateApiKey updatePasskey renewRecoveryCodes reviewChanges saveMessageDraft updateMyPicture
    updateNotificationChoices signOut signOutEverywhere splitConversation startPasskey startTwoFactor syncChannel
    deleteTwoFactor reportTyping undoChanges undoConversationMove updateChannel updateConversations updateDashboard
    updateInboxView updateMe updateMessageTemplate updateNavigation updateNotificationRule updateView uploadFile
    visitConversation visitDashboard whoami`,
  'members.manage': `
    updateUserRole createAgentApiKey createResetLink createUser deactivateUser deleteCompanyApiKeys getMailStatus
    inviteUser listCompanyApiKeys reactivateUser deleteUser renewInvitation deleteUserTwoFactor updateUser`,
  'company.manage': `
    updateCompanyLogo updateCompany updateInboxSettings`,
  admin: `
    createRole deleteRole getDuplicateSettings getMailSettings listSharedValues purgeRecords deleteMailSettings testMailSettings updateDuplicateSettings updateMailSettings
    updateRetentionSettings
    updateRole`,
  'objects.manage': `
    createField createObject createPipeline createStage getFieldDependents updateField updateObject updatePipeline
    updateStage`,
  'records.read': `
    aggregateRecords countRecords getDuplicates getLeadScore getRecord getRecords getTimeline listDealStages listRecords listTrash
    queryRecords searchRecords getRecordTitles validateFilter`,
  'records.create': `
    createRecords importRecords planMove previewImport startMove submitLead upsertRecords`,
  'records.edit': `
    createRecordFile bulkMergeRecords bulkUpdateRecords convertLead dismissDuplicates linkRecords mergeRecords moveDeal placeRecord unlinkRecords updateRecords`,
  'records.delete': `
    bulkDeleteRecords deleteRecords restoreRecords`,
  'records.names': '',
  'records.export': `
    exportRecords`,
  'webhooks.manage': `
    createWebhook deleteWebhook getWebhook getWebhookDelivery listWebhookDeliveries listWebhooks pauseWebhook
    replayWebhookEvents retryFailedWebhookDeliveries retryWebhookDelivery resumeWebhook renewWebhookSecret testWebhook
    updateWebhook`,
  'leads.manage': `
    createLeadSource deleteLeadSource getLeadSettings getLeadSource getLeadSubmission listConsentTexts listLeadSources
    listLeadSubmissions markNotSpam markSpam previewLeadForm processLeadSubmission updateLeadSettings updateLeadSource`,
  'lead_sending.manage': `
    createLeadDestination createLeadRoute decideLeadReturn deleteLeadDestination deleteLeadRoute explainLeadRoute
    getLeadDelivery getLeadDestination getLeadSendingReport getLeadSendingSettings listLeadDeliveries
    listLeadDestinations listLeadReturns listLeadRoutes reorderLeadRoutes replaceLeadRoutes returnLead sendLead
    updateLeadSendingSettings settleLeadDelivery previewLeadRoutes testLeadDestination updateLeadDestination updateLeadRoute`,
  'channels.manage': `
    connectApiChannel connectTelegramBot connectTwilioNumber connectWhatsAppNumber createChat createInboxRule
    deleteConversationLabel deleteInboxRule getChat listInboxRules reorderInboxRules renewChannelSecret
    renewChatSecret sendTestMessage testApiChannel previewInboxRules updateApiChannel updateChannelHours updateChat
    updateConversationLabel updateInboxRule updateWorkingHours`,
  'messages.send': `
    decideProposal listProviderTemplates retryMessage sendMessage`,
  'audit.read': `
    exportAuditLog listAuditEvents verifyAuditLog`,
  'requests.read': `
    listRequests`,
}

/** The access of each operation by name. */
export const accesses = Object.fromEntries(
  Object.entries(table).flatMap(([access, names]) =>
    names
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, access]),
  ),
)
