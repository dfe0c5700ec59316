// The shared views that every company starts with. Views added here reach existing companies at the next start. What a
// company has changed or deleted stays that way.

/** Increase it with every view added below, and give that view its `since`. */
export const builtInViewsVersion = 3

/** In filter and sort, `{deals.status}` is the built-in field and `{tasks}` the built-in object, even if their keys differ. */
export type BuiltInView = {
  object: string
  name: string
  filter: string
  sort: string[]
  since: number
  /** A board with a column for each option of this field. */
  board?: string
}

const view = (object: string, name: string, filter: string, sort: string[], since = 1): BuiltInView => ({
  object,
  name,
  filter,
  sort,
  since,
})

export const builtInViews: BuiltInView[] = [
  view('people', 'My people', 'owner = me', ['-last_activity_at']),
  view('people', 'Customers', '{people.status} = customer', ['title']),
  view('people', 'No contact for 30 days', 'quiet for 30d', ['last_activity_at']),
  view('organizations', 'My organizations', 'owner = me', ['title']),
  { object: 'deals', name: 'Pipeline', filter: '', sort: [], since: 2, board: '{deals.stage}' },
  view('deals', 'My open deals', 'owner = me and {deals.status} = open', ['{deals.expected_close}']),
  view('deals', 'Closing this month', '{deals.status} = open and {deals.expected_close} in this_month', [
    '{deals.expected_close}',
  ]),
  view('deals', 'No next step', '{deals.status} = open and none({tasks}: {tasks.status} = open)', [
    '{deals.expected_close}',
  ]),
  view('leads', 'New leads', '{leads.status} = new', ['-created_at']),
  view('leads', 'My leads', 'owner = me', ['-created_at']),
  view('leads', 'No response yet', '{leads.first_response_at} is empty and {leads.status} = new', ['created_at'], 3),
  view('tasks', 'My tasks', '{tasks.assignee} = me and {tasks.status} = open', ['{tasks.due_at}']),
  view('tasks', 'Overdue tasks', '{tasks.status} = open and {tasks.due_at} < now', ['{tasks.due_at}']),
]
