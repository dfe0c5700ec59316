// Pages of websites that wait for news of their chat.
import { createLongPolls } from '../../kernel/long-polls.ts'
import type { Log } from '../../platform/log.ts'
import { cursorsOf } from './visitor.ts'

const lookMs = 400
const mostWaiting = { ofCompany: 300, ofNetwork: 30, ofAll: 3000 }

type ChatPoll = { company_id: string; network: string; visitor_id: string; cursor: string }

export const createChatWaiting = (log: Log) =>
  createLongPolls<ChatPoll>({
    everyMs: lookMs,
    log,
    failure: 'news of chats could not be looked up',
    limitsOf: ({ company_id, network }) => ({
      all: mostWaiting.ofAll,
      [`company ${company_id}`]: mostWaiting.ofCompany,
      [`network ${network}`]: mostWaiting.ofNetwork,
    }),
    async withNews(db, company_id, polls) {
      const cursors = await cursorsOf(db, company_id, [...new Set(polls.map(({ visitor_id }) => visitor_id))])
      return polls.filter(({ visitor_id, cursor }) => cursors.get(visitor_id) !== cursor)
    },
  })
export type ChatWaiting = ReturnType<typeof createChatWaiting>
