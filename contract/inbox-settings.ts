import * as z from 'zod'
import { operation } from './operation.ts'
import { nothing } from './shared/shapes.ts'

const InboxSettings = z
  .strictObject({
    agents_may_send: z
      .boolean()
      .describe('true: agents may send through channels that allow it. false: agents can only propose messages'),
    retention_days: z.int().min(0).max(3650).describe('Days to keep the unshared email of users who left'),
  })
  .meta({ id: 'InboxSettings' })

export const inboxSettings = {
  getInboxSettings: operation({
    summary: 'Get inbox settings',
    http: 'GET /settings/inbox',
    replaces: [{ http: 'GET /inbox-settings' }],
    access: 'member',
    effect: 'read',
    input: nothing,
    output: InboxSettings,
  }),
  updateInboxSettings: operation({
    summary: 'Update inbox settings',
    http: 'PATCH /settings/inbox',
    access: 'company.manage',
    webOnly: true,
    effect: 'change',
    input: InboxSettings.partial(),
    output: InboxSettings,
  }),
}
