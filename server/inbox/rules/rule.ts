// Rules as they are stored, and as people see them.

import { sql } from 'kysely'
import type { inboxRules, RuleAction, RuleStart, RuleTime } from '../../../contract/inbox-rules.ts'
import { ruleRunDays } from '../../../contract/inbox-rules.ts'
import type { Output } from '../../../contract/operation.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { audiencesFor } from '../access/visible.ts'
import { privateIn, type TemplateRow } from '../sending/template.ts'
import { filterError } from '../triage/filter.ts'

export type RuleRow = {
  company_id: string
  id: string
  name: string
  is_on: boolean
  starts_on: RuleStart
  filter: string | null
  channel_ids: string[]
  during: RuleTime
  actions: RuleAction[]
  stop_here: boolean
  position: number
  owner_id: string
}
type Shown = Output<typeof inboxRules.createInboxRule>

const columns = sql.raw(
  'company_id, id, name, is_on, starts_on, filter, channel_ids, during, actions, stop_here, position, owner_id',
)

/** In their order. */
export async function rulesOf(db: Db, company_id: string) {
  const { rows } = await sql<RuleRow>`
    select ${columns} from inbox_rules where company_id = ${company_id} order by position, id`.execute(db)
  return rows
}

/** Those that are on, in their order. */
export const rulesInUse = async (db: Db, company_id: string) =>
  (await rulesOf(db, company_id)).filter(({ is_on }) => is_on)

export const replies = (actions: RuleAction[]) => actions.some(({ kind }) => kind === 'reply')

type Ran = { rule_id: string; run_count: number; last_run_at: Date; last_problem: string | null }

export async function shownRules(context: Context, rows: RuleRow[]): Promise<Shown[]> {
  const { company_id } = actorOf(context)
  const since = new Date(context.now.getTime() - ruleRunDays * dayMs)
  const { rows: runs } = await sql<Ran>`
    select r.rule_id, count(*)::int as run_count, max(r.at) as last_run_at,
      (array_agg(r.problems[1] order by r.id desc))[1] as last_problem
    from inbox_rule_runs r where r.company_id = ${company_id} and r.at > ${since} group by r.rule_id`.execute(
    context.db,
  )
  const known = await thingsOf(context)
  const shown: Shown[] = []
  for (const rule of rows) {
    const ran = runs.find(({ rule_id }) => rule_id === rule.id)
    const { id, name, is_on, starts_on, filter, channel_ids, during, actions, stop_here } = rule
    shown.push({
      id,
      name,
      is_on,
      on: starts_on,
      filter,
      channel_ids,
      during,
      actions,
      stop_here,
      problem: await problemOf(context, rule, known),
      run_count: ran?.run_count ?? 0,
      last_run_at: ran?.last_run_at.toISOString() ?? null,
      last_problem: ran?.last_problem ?? null,
    })
  }
  return shown
}

type Template = Pick<TemplateRow, 'id' | 'name' | 'text'>
type Things = { users: string[]; labels: string[]; templates: Template[]; channels: string[] }

/** What actions can refer to. */
export async function thingsOf(context: Context): Promise<Things> {
  const { company_id } = actorOf(context)
  const { rows } = await sql<Things>`select
    array(select id from users where company_id = ${company_id} and removed_at is null and deactivated_at is null) as users,
    array(select id from conversation_labels where company_id = ${company_id}) as labels,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'text', text)), '[]')
      from message_templates where company_id = ${company_id} and is_shared) as templates,
    array(select id from channels where company_id = ${company_id} and deleted_at is null
      and (owner_id is null or is_shared)) as channels`.execute(context.db)
  return rows[0]!
}

/** What actions and channels refer to and is not there, or cannot be used. */
export function missingIn({ channel_ids, actions }: Pick<RuleRow, 'channel_ids' | 'actions'>, known: Things) {
  const lacks = (ids: string[], all: string[]) => ids.some((id) => !all.includes(id))
  if (lacks(channel_ids, known.channels))
    return { path: 'channel_ids', message: 'A channel was deleted, or it is private' }
  for (const [i, action] of actions.entries()) {
    const path = `actions.${i}`
    if ((action.kind === 'assign' || action.kind === 'notify') && lacks(action.user_ids, known.users))
      return { path, message: 'A user is no longer active. Choose others' }
    if (action.kind === 'task' && action.user_id && lacks([action.user_id], known.users))
      return { path, message: 'The user of the task is no longer active. Choose another one' }
    if (action.kind === 'label' && lacks(action.label_ids, known.labels))
      return { path, message: 'A label was deleted. Choose another one' }
    if (action.kind !== 'reply') continue
    const template = known.templates.find(({ id }) => id === action.template_id)
    if (!template) return { path, message: 'The template was deleted, or it is not shared' }
    const message = privateIn(template)
    if (message) return { path, message }
  }
  return undefined
}

async function problemOf(context: Context, rule: RuleRow, known: Things) {
  const owner = await findActorById(context.db, rule.company_id, rule.owner_id)
  if (!owner) return 'The owner of the rule can no longer sign in. Save the rule to become its owner.'
  const audiences = await audiencesFor(context.db, owner)
  return (
    (await filterError({ ...context, actor: owner }, audiences, rule.filter, { isForAll: true })) ??
    missingIn(rule, known)?.message ??
    null
  )
}
