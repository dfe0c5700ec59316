import * as z from 'zod'
import { operation } from './operation.ts'
import { nothing } from './shared/shapes.ts'

const InboxSettings = z
  .strictObject({
    agents_may_send: z
      .boolean()
      .describe('Each channel decides whether agents may send by it. false: they can only propose messages'),
    retention_days: z
      .int()
      .min(0)
      .max(3650)
      .describe('How long the mail of someone who left is kept, unless they shared it'),
  })
  .meta({ id: 'InboxSettings' })

export const inboxSettings = {
  getInboxSettings: operation({
    summary: 'Get how your company uses the inbox',
    http: 'GET /inbox-settings',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: InboxSettings,
  }),
  updateInboxSettings: operation({
    summary: 'Update how your company uses the inbox',
    http: 'PATCH /inbox-settings',
    access: 'company.manage',
    webOnly: true,
    effect: 'change',
    input: InboxSettings.partial(),
    output: InboxSettings,
  }),
}
