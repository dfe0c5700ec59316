// Examples for readers of the OpenAPI document. Operations without one get an example made from their schema.
import type { contract, OperationName } from '../index.ts'
import type { Input, Output } from '../operation.ts'

type Examples = {
  [Name in OperationName]?: {
    input: Input<(typeof contract)[Name]>
    output?: Output<(typeof contract)[Name]>
  }
}

/** Stands for any ID in examples. */
export const exampleId = '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11'
const changeSet = '0199c3a4-0f6b-7d52-8c1e-5a9b3d7e4f20'
const people = { object: 'people' }
const person = { ...people, id: exampleId }
const ada = { id: exampleId, version: 1, title: 'Ada Lovelace' }
const written = { change_set_id: changeSet, dry_run: false }

export const examples: Examples = {
  sendMessage: {
    input: {
      conversation_id: exampleId,
      text: 'Hello Ada,\n\nhere is our **offer**.',
      reason: 'She asked for it yesterday',
    },
  },
  draftReply: { input: { conversation_id: exampleId, text: 'Hello Ada,\n\nhere is our **offer**.' } },
  createMessageTemplate: {
    input: {
      name: 'Offer sent',
      subject: 'Our offer for {{ organization }}',
      text: 'Hello {{ first_name }},',
      is_shared: true,
    },
  },
  createConversationNote: { input: { id: exampleId, text: 'They prefer to be called in the morning.' } },
  acceptInvitation: { input: { token: 'the part of the link after #token=', name: 'Ada', password: 'correct horse' } },
  resetPassword: { input: { token: 'the part of the link after #token=', password: 'correct horse' } },
  createLeadDestination: {
    input: {
      name: 'Partner',
      http: {
        url: 'https://partner.example.com/leads',
        body: '{"email": "{{ email }}", "phone": "{{ phone }}"}',
        rules: [{ path: 'status', equals: 'sold', result: 'accepted' }],
      },
      authentication: { type: 'bearer', token: 'the token of the partner' },
    },
  },
  listConversations: { input: { filter: 'state = open and assignee = me', limit: 20 } },
  updateConversations: { input: { ids: [exampleId], state: 'snoozed', snoozed_until: '2026-06-20T09:00:00Z' } },
  markConversationsRead: { input: { ids: [exampleId] } },
  linkConversation: { input: { id: exampleId, add: [{ object: 'deals', id: exampleId }] } },
  createConversationLabel: { input: { name: 'Urgent', color: 'red' } },
  createInboxView: { input: { name: 'Urgent', filter: 'state = open and labels has any (Urgent)' } },
  updateLeadDestination: { input: { id: exampleId, name: 'Partner' } },
  createLeadRoute: {
    input: {
      name: 'Germany',
      state: 'active',
      filter: 'campaign ~ germany',
      targets: [{ destination_id: exampleId, price: 20, caps: { day: 50 } }],
    },
  },
  updateLeadRoute: { input: { id: exampleId, state: 'paused' } },
  replaceLeadRoutes: {
    input: {
      routes: [
        { id: exampleId, version: 3, name: 'Germany', state: 'active', targets: [{ destination_id: exampleId }] },
        { name: 'All others', targets: [{ destination_id: exampleId }] },
      ],
    },
  },
  previewLeadRoutes: { input: { days: 30 } },
  returnByLink: { input: { token: 'the last part of the link', reason: 'bad_contact' } },
  createInboxRule: {
    input: {
      name: 'Invoices',
      on: 'conversation_created',
      filter: 'subject ~ invoice',
      actions: [{ kind: 'assign', user_ids: [exampleId] }],
    },
  },
  updateWorkingHours: { input: { targets: { response_minutes: 120, resolution_minutes: 1440 } } },
  updateChannelHours: {
    input: { id: exampleId, targets: { response_minutes: 30, resolution_minutes: null } },
  },
  getInboxReport: { input: { from: '2026-06-01', to: '2026-06-30' } },
  updateMe: { input: { name: 'Ada Lovelace', time_zone: 'Europe/Berlin' } },
  updateMyPicture: { input: { image: null } },
  updateNavigation: { input: { objects: ['deals', 'people'], hidden: ['jobs'] } },
  listNotifications: { input: { is_unread: true, limit: 20 } },
  markNotificationsRead: { input: { ids: [exampleId] } },
  updateNotificationChoices: { input: { items: [{ kind: 'task_due', app: true, email: false }] } },
  createNotificationRule: {
    input: { name: 'Large deals', object: 'deals', filter: 'amount > 50000', only_new_matches: true },
  },
  updateNotificationRule: { input: { id: exampleId, is_active: false } },
  updateCompany: { input: { currency: 'EUR', rates: [{ currency: 'USD', rate: 0.92 }] } },
  updateRetentionSettings: { input: { trash_days: 30 } },
  updateCompanyLogo: { input: { image: null } },
  createUser: { input: { name: 'Research agent', kind: 'agent', role: 'Member' } },
  listUsers: { input: { state: 'active', limit: 20 } },
  updateUserRole: { input: { id: exampleId, role: 'Member' } },
  deactivateUser: { input: { id: exampleId } },
  createRole: {
    input: {
      name: 'Reader',
      description: 'Reads everything, changes nothing',
      records: { '*': { read: 'all', create: false, edit: 'none', delete: 'none' } },
    },
  },
  updateRole: { input: { id: exampleId, grants: ['records.export'] } },
  uploadFile: { input: { purpose: 'import', name: 'contacts.csv' } },
  describeSchema: { input: { objects: ['people', 'deals'] } },
  createObject: { input: { key: 'projects', label: 'Project', label_plural: 'Projects' } },
  updateObject: { input: { object: 'projects', label: 'Client project' } },
  createField: {
    input: {
      object: 'projects',
      key: 'priority',
      label: 'Priority',
      type: 'select',
      options: [{ label: 'High', color: 'red' }, { label: 'Low' }],
    },
  },
  updateField: { input: { object: 'projects', field: 'priority', is_required: true } },
  getFieldDependents: { input: { object: 'people', field: 'city' } },
  listRecords: { input: { ...people, filter: 'status = active', sort: ['-created_at'], limit: 20 } },
  queryRecords: {
    input: { ...people, filter: 'status = active and score > 50', fields: ['title', 'emails'], limit: 20 },
    output: {
      records: [{ ...ada, emails: ['ada@example.com'] } as object as typeof ada],
      next_cursor: null,
      untrusted_fields: [],
    },
  },
  countRecords: { input: { ...people, filter: 'status = active' }, output: { count: 42, is_exact: true } },
  validateFilter: { input: { ...people, filter: 'created_at > -30d' } },
  getRecord: { input: person },
  getRecords: { input: { ...people, by: [{ field: 'emails', value: 'ada@example.com' }] } },
  getRecordTitles: { input: { ids: [exampleId] }, output: { items: [{ ...person, title: 'Ada Lovelace' }] } },
  createRecords: {
    input: { ...people, records: [{ first_name: 'Ada', last_name: 'Lovelace', emails: ['ada@example.com'] }] },
    output: { records: [ada], ...written, duplicates: [] },
  },
  updateRecords: {
    input: { ...people, records: [{ id: exampleId, version: 1, values: { city: 'London' } }] },
    output: {
      records: [{ ...ada, version: 2, city: 'London' } as object as typeof ada],
      ...written,
      matched: null,
      shown: null,
    },
  },
  upsertRecords: {
    input: { ...people, match_on: 'emails', records: [{ emails: ['ada@example.com'], city: 'London' }] },
  },
  deleteRecords: { input: { ...people, ids: [exampleId] } },
  restoreRecords: { input: { ...people, ids: [exampleId] } },
  purgeRecords: { input: { ...people, ids: [exampleId], dry_run: true } },
  getDuplicates: { input: { ...people, values: { first_name: 'Ada', emails: ['ada@example.com'] } } },
  dismissDuplicates: { input: { ...person, others: [changeSet] } },
  mergeRecords: { input: { ...people, id: exampleId, merge: [changeSet] } },
  postChatMessage: {
    input: { chat_id: 'abc', visitor: 'From openChat', client_id: 'message-1', text: 'Do you ship to Italy?' },
  },
  placeRecord: { input: person },
  bulkUpdateRecords: { input: { ...people, filter: 'city = Berlin', values: { country: 'DE' }, dry_run: true } },
  bulkMergeRecords: { input: { ...people, groups: [{ id: exampleId, merge: [changeSet] }], dry_run: true } },
  bulkDeleteRecords: { input: { ...people, filter: 'status = archived', dry_run: true } },
  linkRecords: { input: { ...person, field: 'organization', to: [changeSet] } },
  unlinkRecords: { input: { ...person, field: 'organization', to: [changeSet] } },
  aggregateRecords: {
    input: {
      object: 'deals',
      filter: 'status = won',
      measures: ['count', 'sum(amount)'],
      group_by: ['month(closed_at)'],
      fill: true,
    },
  },
  createPipeline: { input: { name: 'Renewals' } },
  updatePipeline: { input: { pipeline: 'sales', asks_lost_reason: true } },
  createStage: { input: { pipeline: 'sales', name: 'Demo', probability: 40 } },
  updateStage: { input: { stage: 'proposal', stuck_after_days: 14 } },
  moveDeal: { input: { ids: [exampleId], stage: 'proposal' } },
  exportRecords: { input: { ...people, filter: 'status = active', fields: ['title', 'emails'] } },
  previewImport: { input: { ...people, csv: 'First name,Last name\nAda,Lovelace\n' } },
  importRecords: { input: { ...people, csv: 'First name,Last name\nAda,Lovelace\n', dry_run: true } },
  searchRecords: { input: { q: 'ada lovelace', limit: 10 } },
  listViews: { input: people },
  createView: { input: { ...people, name: 'Active people', filter: 'status = active', sort: ['-score'] } },
  updateView: { input: { id: exampleId, is_shared: true } },
  createDashboard: { input: { name: 'Sales', widgets: [{ id: 'people', type: 'number', object: 'people' }] } },
  getDashboard: { input: { id: 'default' } },
  updateDashboard: { input: { id: exampleId, name: 'Sales this year' } },
  queryDashboard: { input: { id: 'default', range: 'this_month' } },
  previewWidget: { input: { widget: { id: 'people', type: 'number', object: 'people' } } },
  listChanges: { input: { since: '-7d', limit: 20 } },
  listEvents: { input: { object: 'deals', type: 'record.updated', limit: 20 } },
  createWebhook: {
    input: {
      target_url: 'https://hooks.example.com/kith',
      events: ['deal.won'],
      object: 'deals',
      filter: 'amount > 1000',
    },
  },
  updateWebhook: { input: { id: exampleId, description: 'Orders' } },
  renewWebhookSecret: { input: { id: exampleId, overlap_hours: 24 } },
  retryFailedWebhookDeliveries: { input: { id: exampleId, since: '-2h' } },
  replayWebhookEvents: { input: { id: exampleId, since: '-7d' } },
  undoChanges: { input: { change_set_ids: [changeSet], dry_run: true } },
  getTimeline: { input: { ...person, limit: 20 } },
  listJobs: { input: { state: 'running' } },
  listAuditEvents: { input: { since: '2026-11-01T00:00:00Z', limit: 20 } },
  listRequests: { input: { status: 'failed', limit: 20 } },
}
