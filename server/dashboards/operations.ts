import { randomUUIDv7 } from 'node:crypto'
import {
  type Dashboard,
  type dashboards,
  defaultDashboard,
  mostDashboards,
  mostWidgets,
} from '../../contract/dashboards.ts'
import type { Widget } from '../../contract/shared/widget.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { lockToAdd, refuseMore } from '../kernel/limits.ts'
import { pageIn } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { answerAll, answerOne } from './answer.ts'
import { checkWidgets, isOpenTo } from './check-widgets.ts'
import { checklist } from './checklist.ts'
import { defaultFor } from './default.ts'
import type { Frame } from './figures.ts'
import { reviewChanges } from './review.ts'
import { visit } from './visits.ts'

const ifSlow = 'Narrow the filters of its widgets or use fewer widgets.'

export const dashboardOperations: Handlers<typeof dashboards> = {
  async listDashboards(context, page) {
    const frame = await frameOf(context)
    const rows = await visible(context).orderBy('name').orderBy('id').execute()
    const all = [defaultFor(frame), ...rows.map((row) => shown(frame, row))]
    return pageIn(
      all.map(({ widgets: _, ...dashboard }) => dashboard),
      page,
    )
  },

  async getDashboard(context, { id }) {
    return find(await frameOf(context), id)
  },

  async createDashboard(context, { widgets, ...given }) {
    const frame = await frameOf(context)
    const { company_id, user_id: owner_id } = frame.actor
    await refuseTooMany(context)
    const row = {
      ...given,
      company_id,
      id: randomUUIDv7(),
      owner_id,
      widgets: JSON.stringify(await checkWidgets(frame, widgets)),
      created_at: context.now,
      updated_at: context.now,
    }
    await context.db.insertInto('dashboards').values(row).execute()
    return find(frame, row.id)
  },

  async updateDashboard(context, { id, widgets, version, ...given }) {
    const frame = await frameOf(context)
    const { row, dashboard } = await locked(frame, id)
    if (!dashboard.may_edit) throw notYours(dashboard)
    if (version !== undefined && version !== dashboard.version) throw outdated(dashboard)
    if (given.sharing !== undefined && given.sharing !== dashboard.sharing) refuseOthers(frame, dashboard)
    const kept = dashboard.is_mine ? [] : row.widgets.filter((widget) => !isOpenTo(frame, widget))
    const values = {
      ...given,
      ...(widgets && { widgets: JSON.stringify(joined(await checkWidgets(frame, widgets), kept)) }),
    }
    if (!Object.values(values).some((value) => value !== undefined)) return dashboard
    await context.db
      .updateTable('dashboards')
      .set({ ...values, version: dashboard.version + 1, updated_at: context.now })
      .where('company_id', '=', frame.actor.company_id)
      .where('id', '=', id)
      .execute()
    announce(context, dashboard, given.sharing)
    return find(frame, id)
  },

  async deleteDashboard(context, { id }) {
    const frame = await frameOf(context)
    const { dashboard } = await locked(frame, id)
    refuseOthers(frame, dashboard)
    await context.db
      .deleteFrom('dashboards')
      .where('company_id', '=', frame.actor.company_id)
      .where('id', '=', id)
      .execute()
    announce(context, dashboard)
    return {}
  },

  queryDashboard: {
    isHeavy: () => true,
    ifSlow,
    async handle(context, { id, range, owner, widgets }) {
      const frame = await frameOf(context)
      const dashboard = await find(frame, id)
      const asked = { ...frame, range: range ?? dashboard.range, owner: owner ?? dashboard.owner }
      return {
        dashboard: { id, name: dashboard.name },
        time_zone: frame.schema.time_zone,
        widgets: await answerAll(asked, chosen(dashboard, widgets)),
        checklist: id === defaultDashboard ? await checklist(context) : [],
      }
    },
  },

  previewWidget: {
    isHeavy: () => true,
    ifSlow,
    async handle(context, { widget, range = null, owner = null }) {
      return answerOne({ ...(await frameOf(context)), range, owner }, widget)
    },
  },

  async visitDashboard(context) {
    await visit(context)
    return {}
  },

  reviewChanges,
}

/** The widgets with these IDs or types, in the order of the dashboard. */
function chosen({ widgets }: Dashboard, names: string[] | undefined) {
  if (!names) return widgets
  const unknown = names.findIndex((name) => !widgets.some(({ id, type }) => id === name || type === name))
  if (unknown < 0) return widgets.filter(({ id, type }) => names.includes(id) || names.includes(type))
  const known = widgets.map(({ id }) => id).join(', ')
  const message = `There is no widget ${names[unknown]!.slice(0, 60)}. Widgets: ${known}`
  throw new AppError('invalid_input', `${message}.`, { errors: [{ path: `widgets.${unknown}`, message }] })
}

async function frameOf(context: Context): Promise<Frame> {
  const actor = actorOf(context)
  return { context, actor, schema: await schemaOf(context.db, actor), range: null, owner: null }
}

const columns = ['id', 'name', 'owner_id', 'sharing', 'range', 'owner', 'widgets', 'version', 'updated_at'] as const
type Row = Pick<Dashboard, 'id' | 'name' | 'range' | 'owner'> & {
  owner_id: string
  sharing: string
  widgets: unknown
  version: number
  updated_at: Date
}

function visible(context: Context) {
  const { company_id, user_id } = actorOf(context)
  return context.db
    .selectFrom('dashboards')
    .select(columns)
    .where('company_id', '=', company_id)
    .where((eb) => eb.or([eb('owner_id', '=', user_id), eb('sharing', '!=', 'private')]))
}

async function find(frame: Frame, id: string): Promise<Dashboard> {
  if (id === defaultDashboard) return defaultFor(frame)
  const row = await visible(frame.context).where('id', '=', id).executeTakeFirst()
  if (!row) throw noSuchDashboard()
  return shown(frame, row)
}

/** Two people who edit at the same time wait for each other. */
async function locked(frame: Frame, id: string) {
  const row = await visible(frame.context).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw noSuchDashboard()
  return { row: { ...row, widgets: row.widgets as unknown as Widget[] }, dashboard: shown(frame, row) }
}

function shown(frame: Frame, row: Row): Dashboard {
  const { user_id, is_admin } = frame.actor
  const is_mine = row.owner_id === user_id
  const widgets = row.widgets as Widget[]
  return {
    ...row,
    sharing: row.sharing as Dashboard['sharing'],
    is_mine,
    may_edit: is_mine || is_admin || row.sharing === 'edit',
    widgets: is_mine ? widgets : widgets.filter((widget) => isOpenTo(frame, widget)),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Widgets that the caller may not see keep their place, and get another ID if theirs was taken. */
function joined(widgets: Widget[], kept: Widget[]): Widget[] {
  const ids = new Set(widgets.map(({ id }) => id))
  const all = [...widgets, ...kept.map((widget) => (ids.has(widget.id) ? { ...widget, id: randomUUIDv7() } : widget))]
  refuseMore(all.length - 1, mostWidgets, 'widgets per dashboard, including those you cannot see')
  return all
}

async function refuseTooMany(context: Context) {
  const { company_id, user_id } = actorOf(context)
  await lockToAdd(context, 'dashboards')
  const { count } = await context.db
    .selectFrom('dashboards')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('company_id', '=', company_id)
    .where('owner_id', '=', user_id)
    .executeTakeFirstOrThrow()
  refuseMore(Number(count), mostDashboards, 'dashboards')
}

/** To open pages of everyone who sees it or did until now. */
function announce(context: Context, { id, owner_id, sharing }: Dashboard, next = sharing) {
  const isPrivate = sharing === 'private' && next === 'private'
  context.emit('dashboard.changed', { dashboard_id: id, user_id: isPrivate ? owner_id : null })
}

function refuseOthers({ actor }: Frame, dashboard: Dashboard) {
  if (!dashboard.is_mine && !actor.is_admin) throw notYours(dashboard)
}

const notYours = ({ name }: Dashboard) =>
  new AppError('forbidden', `${name} belongs to someone else. Create your own dashboard or ask an Admin.`)
const outdated = ({ name }: Dashboard) =>
  new AppError(
    'conflict',
    `${name} was changed in the meantime. Nothing was saved. Check the current widgets and try again.`,
  )
const noSuchDashboard = () => new AppError('not_found', 'Dashboard not found. List the dashboards to get their IDs.')
