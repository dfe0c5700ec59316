import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type inboxRules, mostInboxRules } from '../../../contract/inbox-rules.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import type { Handlers } from '../../kernel/run.ts'
import { audiencesOf } from '../access/visible.ts'
import { storeConversationFilter } from '../triage/filter.ts'
import { missingIn, type RuleRow, replies, rulesOf, shownRules, thingsOf } from './rule.ts'
import type { RuleServices } from './run.ts'
import { tryRules } from './try.ts'

export const ruleOperations = (services: RuleServices): Handlers<typeof inboxRules> => ({
  listInboxRules: listed,

  async createInboxRule(context, { on, ...input }) {
    const { company_id, user_id } = actorOf(context)
    await lockToAdd(context, 'inbox rules')
    const all = await rulesOf(context.db, company_id)
    refuseMore(all.length, mostInboxRules, 'rules')
    const position = Math.max(-1, ...all.map((rule) => rule.position)) + 1
    const rule: RuleRow = {
      company_id,
      id: randomUUIDv7(),
      position,
      owner_id: user_id,
      ...input,
      starts_on: on,
    }
    await check(context, rule)
    const filter = await storeConversationFilter(context, await audiencesOf(context), rule.filter)
    await context.db
      .insertInto('inbox_rules')
      .values({
        ...rule,
        filter,
        actions: JSON.stringify(rule.actions),
        created_at: context.now,
        updated_at: context.now,
      })
      .execute()
    note(context, rule, 'created')
    return (await shownRules(context, [{ ...rule, filter }]))[0]!
  },

  async updateInboxRule(context, { id, on, ...changes }) {
    const { company_id, user_id } = actorOf(context)
    const before = await findRule(context, id)
    refuseKeys(context, before.actions)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const rule: RuleRow = { ...before, ...given, starts_on: on ?? before.starts_on, owner_id: user_id }
    // Switching a rule off must work, whatever became of what it refers to.
    const isOnlyOff = rule.is_on === false && Object.keys(given).every((key) => key === 'is_on') && on === undefined
    if (!isOnlyOff) await check(context, rule)
    const filter =
      changes.filter === undefined
        ? before.filter
        : await storeConversationFilter(context, await audiencesOf(context), changes.filter)
    const { name, is_on, starts_on, channel_ids, during, actions, stop_here } = rule
    await context.db
      .updateTable('inbox_rules')
      .set({
        name,
        is_on,
        starts_on,
        filter,
        channel_ids,
        during,
        actions: JSON.stringify(actions),
        stop_here,
        owner_id: user_id,
        updated_at: context.now,
      })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
    note(context, rule, 'updated')
    return (await shownRules(context, [{ ...rule, filter }]))[0]!
  },

  async deleteInboxRule(context, { id }) {
    const { company_id } = actorOf(context)
    const rule = await findRule(context, id)
    await sql`delete from inbox_rules where company_id = ${company_id} and id = ${id}`.execute(context.db)
    await sql`delete from inbox_rule_runs where company_id = ${company_id} and rule_id = ${id}`.execute(context.db)
    note(context, rule, 'deleted')
    return {}
  },

  async reorderInboxRules(context, { ids }) {
    const { company_id } = actorOf(context)
    const all = await rulesOf(context.db, company_id)
    if (new Set(ids).size !== ids.length || ids.length !== all.length || all.some(({ id }) => !ids.includes(id)))
      throw new AppError('conflict', 'Send the IDs of all rules, each once. Load the rules again.')
    await sql`update inbox_rules r set position = n.position from unnest(${ids}::uuid[]) with ordinality n(id, position)
      where r.company_id = ${company_id} and r.id = n.id`.execute(context.db)
    context.audit('inbox_rules.ordered', { target_id: company_id })
    context.emit('inbox_rules.changed', {})
    return listed(context)
  },

  previewInboxRules: (context, asked) => tryRules(context, services, asked),
})

const listed = async (context: Context) => ({
  items: await shownRules(context, await rulesOf(context.db, actorOf(context).company_id)),
})

async function findRule(context: Context, id: string) {
  const rule = (await rulesOf(context.db, actorOf(context).company_id)).find((one) => one.id === id)
  if (!rule) throw new AppError('not_found', 'Rule not found. It may have been deleted.')
  return rule
}

async function check(context: Context, rule: RuleRow) {
  refuseKeys(context, rule.actions)
  if (replies(rule.actions) && !may(actorOf(context), 'messages.send'))
    throw new AppError('forbidden', 'This rule sends replies, and your role cannot send messages.')
  const missing = missingIn(rule, await thingsOf(context))
  if (missing) throw refused(missing.path, missing.message)
}

/** Such a rule sends messages that no person approves. */
function refuseKeys(context: Context, actions: Parsed<typeof inboxRules.createInboxRule>['actions']) {
  if (actorOf(context).api_key_id && replies(actions))
    throw new AppError(
      'forbidden',
      'API keys cannot save or change rules that reply. Sign in to the web app to do this, or leave out the reply.',
    )
}

function note(context: Context, { id, name }: RuleRow, what: 'created' | 'updated' | 'deleted') {
  context.audit(`inbox_rule.${what}`, { target_id: id, data: { name } })
  context.emit('inbox_rules.changed', {})
}
