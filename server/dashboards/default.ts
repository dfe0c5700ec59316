// The default dashboard, computed for the user who views it.
import { type Dashboard, defaultDashboard } from '../../contract/dashboards.ts'
import { type BuiltInWidget, builtInWidgets, type Widget } from '../../contract/shared/widget.ts'
import { seenBy } from '../engine/rights/rights.ts'
import { builtInInUse } from '../engine/schema/schema.ts'
import type { Frame } from './figures.ts'
import { mayManageSending } from './lead-sending.ts'
import { objectFor } from './objects.ts'

type Size = { x: number; y: number; width: number; height: number }

const sizes: Record<BuiltInWidget, Size> = {
  my_tasks: { x: 0, y: 0, width: 4, height: 4 },
  needs_you: { x: 4, y: 0, width: 4, height: 4 },
  agent_changes: { x: 8, y: 0, width: 4, height: 4 },
  pipeline: { x: 0, y: 4, width: 8, height: 3 },
  won_and_lost: { x: 8, y: 4, width: 4, height: 3 },
  forecast: { x: 0, y: 7, width: 6, height: 3 },
  activity: { x: 6, y: 7, width: 6, height: 3 },
  changes_on_mine: { x: 0, y: 13, width: 12, height: 3 },
}
/** Widgets about objects that the caller may not read are left out. */
const about: Partial<Record<BuiltInWidget, string[]>> = {
  my_tasks: ['tasks'],
  needs_you: ['deals', 'leads'],
  pipeline: ['deals'],
  won_and_lost: ['deals'],
  forecast: ['deals'],
  activity: ['activities', 'notes', 'tasks'],
}

export function defaultFor(frame: Pick<Frame, 'schema' | 'actor'>): Dashboard {
  const shown = builtInWidgets.filter((type) => !about[type] || about[type].some((key) => objectFor(frame, key)))
  return {
    id: defaultDashboard,
    name: 'Dashboard',
    owner_id: null,
    is_mine: false,
    sharing: 'view',
    may_edit: false,
    range: null,
    owner: null,
    widgets: [
      ...shown.map((type) => ({ type, id: type, title: '', ...sizes[type] }) as Widget),
      ...aboutLeads(frame),
      ...aboutSending(frame),
      ...aboutInbox(frame),
    ].sort((a, b) => a.y - b.y || a.x - b.x),
    version: 1,
    updated_at: null,
  }
}

/** Like widgets that people define, so that anyone can have them on a dashboard of their own. */
function aboutLeads(frame: Pick<Frame, 'schema' | 'actor'>): Widget[] {
  const leads = objectFor(frame, 'leads')
  const key = (name: string) => {
    const field = leads && builtInInUse(leads, name)
    return field && seenBy(frame.actor, leads).byKey.has(field.key) ? field.key : undefined
  }
  const [source, minutes, answered] = ['source', 'response_minutes', 'first_response_at'].map(key)
  if (!leads) return []
  const common = { object: leads.key, date_field: 'created_at', range: 'last_30_days', y: 10, height: 3 }
  const bySource: Widget[] = source
    ? [
        {
          ...common,
          type: 'bar',
          id: 'leads_by_source',
          title: 'New leads by source',
          x: 0,
          width: 8,
          filter: null,
          measure: 'count',
          group_by: source,
          order: 'measure',
          top: 8,
        },
      ]
    : []
  if (!minutes || !answered) return bySource
  const response: Widget = {
    ...common,
    type: 'number',
    id: 'first_response',
    title: 'Time to first response',
    x: 8,
    width: 4,
    filter: `${answered} is not empty`,
    measure: `average(${minutes})`,
    compare: true,
  }
  return [...bySource, response]
}

const showsSending = (frame: Pick<Frame, 'schema' | 'actor'>) => frame.schema.has_lead_routes && mayManageSending(frame)

/** For companies that pass leads on. */
const aboutSending = (frame: Pick<Frame, 'schema' | 'actor'>): Widget[] =>
  showsSending(frame)
    ? [
        {
          type: 'lead_sending',
          id: 'lead_sending',
          title: 'Leads sent',
          by: 'destination',
          range: 'last_30_days',
          x: 0,
          y: 16,
          width: 12,
          height: 3,
        },
      ]
    : []

/** For companies with a mailbox of the team. */
const aboutInbox = (frame: Pick<Frame, 'schema' | 'actor'>): Widget[] =>
  frame.schema.has_team_channels
    ? [
        {
          type: 'inbox',
          id: 'inbox',
          title: 'Inbox',
          by: 'channel',
          range: 'last_30_days',
          x: 0,
          y: showsSending(frame) ? 19 : 16,
          width: 12,
          height: 3,
        },
      ]
    : []
