// Gateways that wait for messages to send.
import { sql } from 'kysely'
import { createLongPolls } from '../../kernel/long-polls.ts'
import type { Log } from '../../platform/log.ts'

const lookMs = 1000

type GatewayPoll = { company_id: string; channel_id: string; clock: () => Date }

export const createGatewayWaiting = (log: Log) =>
  createLongPolls<GatewayPoll>({
    everyMs: lookMs,
    log,
    failure: 'messages that gateways wait for could not be looked up',
    async withNews(db, company_id, polls) {
      const ids = [...new Set(polls.map(({ channel_id }) => channel_id))]
      const { rows } = await sql<{ channel_id: string }>`
        select distinct channel_id from messages
        where company_id = ${company_id} and channel_id = any(${ids}::uuid[]) and send_at <= ${polls[0]!.clock()}
          and (state = 'waiting' or (state = 'sending' and leased_until < now()))`.execute(db)
      const due = new Set(rows.map(({ channel_id }) => channel_id))
      return polls.filter(({ channel_id }) => due.has(channel_id))
    },
  })
export type GatewayWaiting = ReturnType<typeof createGatewayWaiting>
