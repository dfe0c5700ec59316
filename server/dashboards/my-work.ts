// What the caller has to do: tasks, and deals and leads that wait for them. "Today" is that of the caller.
import { withKeys } from '../engine/views/built-in.ts'
import { type Computed, type Frame, listFigure, ownerPart } from './figures.ts'
import { objectFor } from './objects.ts'

/** `{deals.status}` is the built-in field, whatever its key. A list whose fields the company archived is left out. */
type Waiting = { key: string; object: string; filter: string; sort: string[]; fields: string[] }

const isOpenTask = '{tasks.status} = open'
const isOpenDeal = '{deals.status} = open'
const taskFields = ['title', '{tasks.due_at}', '{tasks.priority}', '{tasks.status}', '{tasks.about}']
const dealFields = ['title', '{deals.amount}', '{deals.stage}', '{deals.expected_close}', 'last_activity_at']

const tasks: Waiting[] = [
  {
    key: 'overdue',
    object: 'tasks',
    filter: `${isOpenTask} and {tasks.due_at} < now`,
    sort: ['{tasks.due_at}'],
    fields: taskFields,
  },
  {
    key: 'today',
    object: 'tasks',
    filter: `${isOpenTask} and {tasks.due_at} >= now and {tasks.due_at} in today`,
    sort: ['{tasks.due_at}'],
    fields: taskFields,
  },
]

const needs: Waiting[] = [
  {
    key: 'past_close',
    object: 'deals',
    filter: `${isOpenDeal} and {deals.expected_close} < today`,
    sort: ['{deals.expected_close}'],
    fields: dealFields,
  },
  {
    key: 'no_next_task',
    object: 'deals',
    filter: `${isOpenDeal} and none({tasks}: ${isOpenTask})`,
    sort: ['{deals.expected_close}'],
    fields: dealFields,
  },
  {
    key: 'quiet',
    object: 'deals',
    filter: `${isOpenDeal} and quiet for 14d`,
    sort: ['last_activity_at'],
    fields: dealFields,
  },
]

const newLeads: Waiting = {
  key: 'new_leads',
  object: 'leads',
  filter: '{leads.status} = new and {leads.first_response_at} is empty',
  sort: ['created_at'],
  fields: ['title', '{leads.company_name}', '{leads.source}', 'owner', 'created_at'],
}

export async function myTasks(frame: Frame): Promise<Computed> {
  return { figures: await waiting(frame, tasks, 20) }
}

/** New leads without an owner wait for everyone. */
export async function needsYou(frame: Frame): Promise<Computed> {
  return { figures: await waiting(frame, [...needs, newLeads], 5) }
}

async function waiting(frame: Frame, lists: Waiting[], limit: number) {
  const figures = []
  for (const list of lists) {
    const object = objectFor(frame, list.object)
    const [filter, ...others] = [list.filter, ...list.sort, ...list.fields].map((text) => withKeys(frame.schema, text))
    if (!object || filter === undefined || others.includes(undefined)) continue
    const sort = (others as string[]).slice(0, list.sort.length)
    const fields = (others as string[]).slice(list.sort.length)
    const mine = ownerPart(frame, object, 'me')
    const whose = list === newLeads ? `${mine} or owner is empty` : mine
    figures.push(await listFigure(frame, list.key, object, [whose, filter], { sort, fields, limit }))
  }
  return figures
}
