// Applies the rules to a message that arrived: all of it in one transaction, so that each message is handled once.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { RuleStart } from '../../../contract/inbox-rules.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { contextFor } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context, Principal } from '../../kernel/context.ts'
import { orNothing } from '../../kernel/or-nothing.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, isOutdatedSchema, transaction } from '../../platform/db.ts'
import { isOpenAt } from '../../platform/working-time.ts'
import { type Plans, plansOf } from '../../working-hours/queries.ts'
import { audiencesFor } from '../access/visible.ts'
import type { ChannelKinds } from '../channels/channel.ts'
import { conditionOf, readConversationFilter } from '../triage/filter.ts'
import { act } from './actions.ts'
import { type RuleRow, rulesInUse } from './rule.ts'

export type RuleServices = { channelKinds: ChannelKinds; baseUrl: URL }

/** A message of an outsider that rules may see. */
export type Arrived = {
  company_id: string
  message_id: string
  conversation_id: string
  channel_id: string
  channel_name: string
  channel_address: string
  is_of_team: boolean
  is_automatic: boolean
  no_reply: 'asked' | 'unproven' | 'late' | null
  is_first: boolean
  /** Who wrote it. Answers to another address (Reply-To) are for people to decide. */
  address: string | null
  name: string | null
  subject: string
  /** As if it had just arrived, and nothing had been answered. */
  is_trial?: boolean
}

/** What became of a rule. `reason`: why it did not match. */
export type Step = {
  rule: RuleRow
  matches: boolean
  reason: string | null
  done: string[]
  /** Texts of automatic replies. */
  replies: string[]
  skipped: string[]
  problems: string[]
}

type MessageRef = { company_id: string; message_id: string }

export async function handleMessage(db: Db, services: RuleServices, place: MessageRef, now: Date) {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction(db, async (tx) => {
        if (!(await claim(tx, place, now))) return
        const arrived = await findArrived(tx, place)
        if (arrived) await applyRules(tx, services, arrived, now)
      })
    } catch (error) {
      if (!isOutdatedSchema(error) || attempt === 3) throw error
    }
}

async function claim(tx: Db, { company_id, message_id }: MessageRef, now: Date) {
  const { rows } = await sql`update messages set rules_at = ${now}
    where company_id = ${company_id} and id = ${message_id} and rules_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Undefined for private mailboxes, spam, and what is not from outside. */
export async function findArrived(tx: Db, { company_id, message_id }: MessageRef) {
  const { rows } = await sql<Arrived>`
    select m.company_id, m.id as message_id, c.id as conversation_id, c.channel_id, h.name as channel_name,
      h.address as channel_address, h.owner_id is null as is_of_team, m.is_automatic,
      m.data ->> 'no_reply' as no_reply, m.from_address as address, m.from_name as name, c.subject,
      not exists (select from messages e where e.company_id = ${company_id} and e.conversation_id = c.id
        and e.kind = 'message' and (e.at, e.id) < (m.at, m.id)) as is_first
    from messages m join conversations c on c.company_id = ${company_id} and c.id = m.conversation_id
    join channels h on h.company_id = ${company_id} and h.id = c.channel_id
    where m.company_id = ${company_id} and m.id = ${message_id} and m.direction = 'in' and c.merged_into is null
      and c.state <> 'spam' and h.deleted_at is null and (h.owner_id is null or h.is_shared) for update of c`.execute(
    tx,
  )
  return rows[0]
}

/** In their order, until one says that it is the last. Later rules see what earlier ones did. */
export async function applyRules(
  tx: Db,
  services: RuleServices,
  arrived: Arrived,
  now: Date,
  on: RuleStart[] = arrived.is_first ? ['conversation_created', 'message_received'] : ['message_received'],
) {
  const steps: Step[] = []
  const rules = await rulesInUse(tx, arrived.company_id)
  const plans = rules.length ? await plansOf(tx, arrived.company_id) : undefined
  for (const rule of rules.filter(({ starts_on }) => on.includes(starts_on))) {
    const step = await applyRule(tx, services, rule, arrived, plans!, now)
    steps.push(step)
    if (step.matches && rule.stop_here) break
  }
  return steps
}

async function applyRule(
  tx: Db,
  services: RuleServices,
  rule: RuleRow,
  arrived: Arrived,
  plans: Plans,
  now: Date,
): Promise<Step> {
  const step: Step = { rule, matches: false, reason: null, done: [], replies: [], skipped: [], problems: [] }
  const reason = otherPlaceOrTime(rule, arrived, plans, now)
  if (reason) return { ...step, reason }
  const owner = await findActorById(tx, rule.company_id, rule.owner_id)
  if (!owner)
    return { ...step, reason: 'The owner of the rule can no longer sign in. Save the rule to become its owner.' }
  const principal: Principal = { kind: 'rule', id: rule.id, name: rule.name }
  const { context, notes, write } = await contextFor(tx, { actor: owner, principal, task: 'applyInboxRule', now })
  try {
    if (!(await matches(context, rule, arrived))) return { ...step, reason: 'The filter does not match.' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...step, reason: error.message }
  }
  step.matches = true
  const problem = await orNothing(tx, notes, async () => {
    for (const action of rule.actions) {
      const failure = await orNothing(tx, notes, async () => {
        const outcome = await act({ context, rule, arrived, services }, action)
        if ('done' in outcome) {
          step.done.push(outcome.done)
          if (outcome.text !== undefined) step.replies.push(outcome.text)
        } else step.skipped.push(outcome.skipped)
      })
      if (failure) step.problems.push(failure.message)
    }
    // The rights are those of its owner, but the rule did it.
    await write({ ...owner, user_id: '' })
  })
  if (problem) Object.assign(step, { done: [], replies: [], problems: [...step.problems, problem.message] })
  await keepRun(tx, step, arrived, now)
  return step
}

function otherPlaceOrTime(rule: RuleRow, { channel_id, is_of_team }: Arrived, plans: Plans, now: Date) {
  const isThere = rule.channel_ids.length ? rule.channel_ids.includes(channel_id) : is_of_team
  if (!isThere) return 'The rule does not apply to this channel.'
  if (rule.during === 'always') return null
  const isOpen = isOpenAt(plans.of(channel_id).schedule, now)
  if (isOpen === (rule.during === 'working_hours')) return null
  return isOpen ? 'The rule only applies outside working hours.' : 'The rule only applies during working hours.'
}

async function matches(context: Context, { filter }: RuleRow, { conversation_id, message_id, company_id }: Arrived) {
  const audiences = await audiencesFor(context.db, context.actor!)
  const resolved = await readConversationFilter(context, audiences, filter ?? undefined, { isForAll: true })
  if (!resolved) return true
  const params = new Params()
  const condition = conditionOf(context, audiences, params, resolved, message_id)
  const rows = await run(
    context.db,
    `select c.id from conversations c where c.company_id = ${params.add(company_id, 'uuid')}
      and c.id = ${params.add(conversation_id, 'uuid')} and ${condition}`,
    params,
  )
  return rows.length > 0
}

const keepRun = (tx: Db, { rule, done, problems }: Step, { conversation_id, message_id }: Arrived, at: Date) =>
  tx
    .insertInto('inbox_rule_runs')
    .values({
      company_id: rule.company_id,
      id: randomUUIDv7(),
      rule_id: rule.id,
      conversation_id,
      message_id,
      at,
      done,
      problems: problems.map((text) => text.slice(0, 500)),
    })
    .execute()
