import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { fullPage, id, nameOf, nothing, pageOf } from './shared/shapes.ts'

export const mostViews = 200
export const viewLayouts = ['comfortable', 'compact'] as const
export const viewTypes = ['table', 'board', 'calendar'] as const
export const groupPeriods = ['day', 'week', 'month', 'quarter', 'year'] as const
export const columnCalculations = ['sum', 'average', 'min', 'max', 'filled', 'unique', 'sum_not_lost'] as const

export const ViewColumn = z
  .strictObject({
    key: z.string().max(200).describe('A field, or a field of a related record, e.g. organization.name'),
    width: z.int().min(40).max(2000).optional().describe('In pixels'),
    pinned: z.boolean().optional().describe('Stays visible when scrolling sideways'),
    calculation: z.enum(columnCalculations).optional().describe('Shown below the column, across all matching records'),
  })
  .meta({ id: 'ViewColumn' })

const type = z.enum(viewTypes)
const group_by = z
  .strictObject({
    field: z.string().max(200).describe('e.g. stage or owner'),
    period: z.enum(groupPeriods).optional().describe('For dates: one group per period; default: month'),
  })
  .nullable()
  .describe('Groups of a table, columns of a board, or date of a calendar; null: none, or the default field')
const collapsed = z
  .array(z.string().max(200))
  .max(500)
  .describe('Collapsed groups, by option key or user ID; "" is the group without a value')

/** A saved view of a list, private or shared with the company or some members. */
export const View = z
  .strictObject({
    id,
    object: z.string(),
    name: z.string(),
    is_shared: z.boolean().describe('Shared with the whole company'),
    shared_with: z.array(id).describe('Users it is shared with; only visible to the owner'),
    owner_id: id,
    is_mine: z.boolean(),
    filter: z.string().nullable().describe('As text, with field and option keys and the IDs of users and records'),
    filter_error: z
      .string()
      .nullable()
      .describe('Why the filter no longer works, e.g. an archived field or a deleted record'),
    sort: z.array(z.string()),
    columns: z.array(ViewColumn).describe("Empty: the object's default columns"),
    type,
    group_by,
    collapsed,
    layout: z.enum(viewLayouts).describe('Row height'),
    position: z.int(),
  })
  .meta({ id: 'View' })

const name = nameOf('Enter a name')
const shared_with = z.array(id).max(100, 'Share it with at most 100 members, or with the company')
const filter = z.string().max(limits.characters).nullable()
const sort = z.array(z.string().max(200)).max(5)
const columns = z.array(ViewColumn).max(100, 'Use at most 100 columns')
const position = z.int().min(0).max(1000).optional().describe('Position in the list, from 0')

export const views = {
  listViews: operation({
    summary: 'List your views and views shared with you',
    http: 'GET /views',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ object: objectKey.optional().describe('Only views of this object'), ...fullPage }),
    output: pageOf(View).meta({ id: 'ViewList' }),
  }),
  createView: operation({
    summary: 'Create a view',
    http: 'POST /views',
    access: 'member',
    effect: 'add',
    input: z.strictObject({
      object: objectKey,
      name,
      is_shared: z.boolean().default(false),
      shared_with: shared_with.default([]),
      filter: filter.default(null),
      sort: sort.default([]),
      columns: columns.default([]),
      type: type.default('table'),
      group_by: group_by.default(null),
      collapsed: collapsed.default([]),
      layout: z.enum(viewLayouts).default('comfortable'),
      position,
    }),
    output: View,
  }),
  updateView: operation({
    summary: 'Update a view you own, or a shared one as an Admin',
    http: 'PATCH /views/:id',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      id,
      name: name.optional(),
      is_shared: z.boolean().optional(),
      shared_with: shared_with.optional(),
      filter: filter.optional(),
      sort: sort.optional(),
      columns: columns.optional(),
      type: type.optional(),
      group_by: group_by.optional(),
      collapsed: collapsed.optional(),
      layout: z.enum(viewLayouts).optional(),
      position,
    }),
    output: View,
  }),
  deleteView: operation({
    summary: 'Delete a view you own, or a shared one as an Admin',
    http: 'DELETE /views/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
}
