import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { operation } from './operation.ts'
import { id, nameOf, nothing } from './shared/shapes.ts'

const InboxView = z
  .strictObject({
    id,
    name: z.string(),
    filter: z.string().nullable(),
    filter_error: z.string().nullable().describe('Why the filter no longer works, e.g. a deleted label'),
    is_shared: z.boolean(),
    is_mine: z.boolean(),
  })
  .meta({ id: 'InboxView' })

const filter = z.string().max(limits.characters).nullable()
const one = { id: id.describe('View ID') }

export const inboxViews = {
  listInboxViews: operation({
    summary: 'List your inbox views and those shared with the company',
    http: 'GET /inbox-views',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(InboxView) }).meta({ id: 'InboxViewList' }),
  }),
  createInboxView: operation({
    summary: 'Create an inbox view',
    http: 'POST /inbox-views',
    access: 'member',
    effect: 'add',
    input: z.strictObject({ name: nameOf('Enter a name'), filter, is_shared: z.boolean().default(false) }),
    output: InboxView,
  }),
  updateInboxView: operation({
    summary: 'Update an inbox view',
    http: 'PATCH /inbox-views/:id',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      ...one,
      name: nameOf('Enter a name').optional(),
      filter: filter.optional(),
      is_shared: z.boolean().optional(),
    }),
    output: InboxView,
  }),
  deleteInboxView: operation({
    summary: 'Delete an inbox view',
    http: 'DELETE /inbox-views/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject(one),
    output: nothing,
  }),
}
