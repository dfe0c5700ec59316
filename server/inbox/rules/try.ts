// What the rules would do: they do it, and everything is rolled back.
import { sql } from 'kysely'
import type { inboxRules } from '../../../contract/inbox-rules.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { AppError, referenced } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { visibleConversation } from '../access/visible.ts'
import { applyRules, findArrived, type RuleServices, type Step } from './run.ts'

type TryInput = Parsed<typeof inboxRules.previewInboxRules>
type Trial = Output<typeof inboxRules.previewInboxRules>

class Undo extends Error {
  readonly steps: Step[]
  constructor(steps: Step[]) {
    super('rolled back')
    this.steps = steps
  }
}

export async function tryRules(
  context: Context,
  services: RuleServices,
  { conversation_id, on }: TryInput,
): Promise<Trial> {
  const { company_id } = actorOf(context)
  const { id } = await referenced('conversation_id', () => visibleConversation(context, conversation_id))
  const message_id = await lastMessage(context.db, company_id, id)
  const steps = message_id ? await rolledBack(context, services, message_id, on) : undefined
  if (!steps)
    throw new AppError(
      'conflict',
      'Rules do not run on this conversation: it has no message from outside, is spam, or is private.',
    )
  return {
    steps: steps.map(({ rule, matches, reason, done, replies, skipped, problems }) => ({
      rule_id: rule.id,
      name: rule.name,
      matches,
      reason,
      would: done,
      replies,
      skipped,
      problems,
    })),
  }
}

async function lastMessage(db: Db, company_id: string, id: string) {
  const { rows } = await sql<{ id: string }>`
    select id from messages where company_id = ${company_id} and conversation_id = ${id} and kind = 'message'
      and direction = 'in' order by at desc, id desc limit 1`.execute(db)
  return rows[0]?.id
}

async function rolledBack({ db, actor, now }: Context, services: RuleServices, message_id: string, on: TryInput['on']) {
  const { company_id } = actor!
  const starts = on === 'conversation_created' ? (['conversation_created', 'message_received'] as const) : [on]
  try {
    await db.transaction().execute(async (tx) => {
      const arrived = await findArrived(tx, { company_id, message_id })
      if (!arrived) return
      const no_reply = arrived.no_reply === 'late' ? null : arrived.no_reply
      throw new Undo(await applyRules(tx, services, { ...arrived, no_reply, is_trial: true }, now, [...starts]))
    })
  } catch (error) {
    if (error instanceof Undo) return error.steps
    throw error
  }
  return undefined
}
