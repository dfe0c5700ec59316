// Finds what uses a field: views in their filter, sort or columns, notification rules, and widgets of dashboards.

import type { objects } from '../../../contract/objects.ts'
import type { Output } from '../../../contract/operation.ts'
import { pathsIn, type Widget } from '../../../contract/shared/widget.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { fieldsOfStored } from '../read/stored-filter.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'

type Dependents = Output<typeof objects.getFieldDependents>

/** Private views and dashboards of other users are only counted. */
export async function dependentsOf(context: Context, schema: Schema, field: Field): Promise<Dependents> {
  const { company_id, user_id } = actorOf(context)
  const rows = await context.db
    .selectFrom('views')
    .select(['id', 'object_id', 'name', 'owner_id', 'is_shared', 'sort', 'columns', 'group_by', 'filter_field_ids'])
    .where('company_id', '=', company_id)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const using = rows.filter((row) => {
    const object = schema.byId.get(row.object_id)!
    const columns = (row.columns as { key: string }[]).map(({ key }) => key)
    const group = row.group_by as { field: string } | null
    const paths = [...(row.sort as string[]), ...columns, ...(group ? [group.field] : [])]
    return row.filter_field_ids?.includes(field.id) || paths.some((path) => leadsThrough(schema, object, path, field))
  })
  const seen = using.filter(({ owner_id, is_shared }) => is_shared || owner_id === user_id)
  const rules = await context.db
    .selectFrom('subscriptions')
    .select(['fields', 'object_id', 'filter_field_ids'])
    .where('company_id', '=', company_id)
    .execute()
  const usedBy = rules.filter(
    ({ fields, object_id, filter_field_ids }) =>
      filter_field_ids?.includes(field.id) || (object_id === field.object_id && fields.includes(field.key)),
  )
  return {
    views: seen.map(({ id, name, object_id }) => ({ id, name, object: schema.byId.get(object_id)!.key })),
    private_views: using.length - seen.length,
    notification_rules: usedBy.length,
    ...(await dashboardsUsing(context, schema, field)),
  }
}

async function dashboardsUsing(context: Context, schema: Schema, field: Field) {
  const { company_id, user_id } = actorOf(context)
  const rows = await context.db
    .selectFrom('dashboards')
    .select(['id', 'name', 'owner_id', 'sharing', 'widgets'])
    .where('company_id', '=', company_id)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const using = rows.filter(({ widgets }) =>
    (widgets as unknown as Widget[]).some((widget) => isUsedIn(schema, widget, field)),
  )
  const seen = using.filter(({ owner_id, sharing }) => sharing !== 'private' || owner_id === user_id)
  return { dashboards: seen.map(({ id, name }) => ({ id, name })), private_dashboards: using.length - seen.length }
}

function isUsedIn(schema: Schema, widget: Widget, field: Field) {
  const key = widget.type === 'funnel' ? schema.builtIn.get('deals')?.key : 'object' in widget && widget.object
  const object = key ? schema.objects.get(key) : undefined
  if (!object || !('filter' in widget)) return false
  const paths = [...pathsIn(widget), ...(widget.type === 'list' ? widget.sort : [])]
  return (
    paths.some((path) => leadsThrough(schema, object, path, field)) ||
    fieldsOfStored(schema, { object, filter: widget.filter ?? '' }).includes(field.id)
  )
}

/** Whether a path such as `-score` or `organization.name` contains the field. */
function leadsThrough(schema: Schema, object: ObjectSchema, path: string, wanted: Field) {
  const [key = '', inner] = path.replace(/^[-+]/, '').split('.')
  const field = fieldCalled(object, key)
  if (field?.id === wanted.id) return true
  const target = inner === undefined ? undefined : schema.objects.get(field?.to_objects?.[0] ?? '')
  return target !== undefined && fieldCalled(target, inner!)?.id === wanted.id
}

const fieldCalled = ({ fields, archivedFields }: ObjectSchema, key: string) =>
  [...fields, ...archivedFields].find((field) => field.key === key)
