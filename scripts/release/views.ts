// Views, dashboards, notification rules and navigation, whose filters must still work after an upgrade.
import type { At, Team } from './story.ts'

export async function saveViews({ ada, grace }: Team) {
  await ada.post('/views', {
    object: 'people',
    name: 'German accounts',
    is_shared: true,
    filter: 'organization.country in ("Germany", "Austria") and not status = customer',
    sort: ['-score', 'last_name'],
    columns: [{ key: 'title', width: 240, pinned: true }, { key: 'organization.name' }, { key: 'score' }],
  })
  await ada.post('/views', {
    object: 'deals',
    name: 'Open',
    filter: 'stage in (proposal, qualified)',
    layout: 'compact',
  })
  await grace.post('/views', { object: 'projects', name: 'Mine', filter: 'a_user = me', sort: ['a_date'] })
}

export async function arrangeWork(at: At, { ada, grace, ids }: Team) {
  await at('2026-05-04T13:00:00Z')
  const board = await ada.post('/views', {
    object: 'deals',
    name: 'Renewal board',
    shared_with: [ids.grace],
    filter: 'pipeline = renewals',
    type: 'board',
    group_by: { field: 'stage' },
    collapsed: ['cancelled'],
    columns: [{ key: 'title' }, { key: 'amount', calculation: 'sum_not_lost' }],
  })
  await grace.post('/views', {
    object: 'tasks',
    name: 'My calendar',
    filter: 'assignee = me and status = open',
    type: 'calendar',
    group_by: { field: 'due_at', period: 'week' },
  })
  await ada.patch('/me/navigation', {
    objects: ['deals', 'people', 'organizations'],
    hidden: ['past_events'],
    pinned_views: [board.id],
  })
  await ada.post('/dashboards', { name: 'Sales', sharing: 'edit', range: 'this_quarter', widgets })
  await grace.post('/dashboards', {
    name: 'My numbers',
    owner: 'me',
    widgets: [{ id: 'tasks', type: 'my_tasks', width: 6 }],
  })
  await ada.post('/dashboards/visit')
  await ada.post('/me/notification-rules', {
    name: 'Deals of Grace that are lost',
    object: 'deals',
    actions: ['updated'],
    fields: ['stage'],
    filter: `status = lost and owner = ${ids.grace}`,
    only_new_matches: true,
  })
  await grace.post('/me/notification-rules', {
    name: 'Only open tasks',
    kind: 'record_assigned',
    object: 'tasks',
    filter: 'status = open',
  })
}

const widgets = [
  {
    id: 'won',
    type: 'number',
    object: 'deals',
    measure: 'sum(amount)',
    filter: 'status = won',
    date_field: 'closed_at',
  },
  {
    id: 'stages',
    type: 'stacked_bar',
    object: 'deals',
    group_by: 'stage',
    split_by: 'owner',
    x: 4,
    width: 8,
    height: 4,
  },
  { id: 'months', type: 'line', object: 'deals', group_by: 'month(created_at)', y: 4 },
  { id: 'funnel', type: 'funnel', pipeline: 'renewals', mode: 'cohort', range: 'last_30_days', y: 6 },
  { id: 'best', type: 'leaderboard', object: 'deals', y: 8 },
  { id: 'table', type: 'table', object: 'people', measures: ['count'], group_by: ['organization.country'], y: 10 },
  { id: 'open', type: 'list', object: 'tasks', filter: 'status = open', sort: ['due_at'], y: 12 },
  { id: 'inbox', type: 'inbox', by: 'assignee', y: 14 },
  { id: 'sending', type: 'lead_sending', y: 16 },
  { id: 'about', type: 'text', text: 'Numbers in **euros**', y: 18 },
]
