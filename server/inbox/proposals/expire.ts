// Proposals that no one decided about in time.
import { sql } from 'kysely'
import { actAs } from '../../kernel/act-as.ts'
import { companiesWith, forEachOf } from '../../kernel/companies.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { announceChanged, announceProposal } from '../access/announce.ts'
import { dropFiles } from '../sending/attachments.ts'
import { removeIfEmpty } from '../thread/empty-conversation.ts'

type Expired = {
  id: string
  user_id: string
  conversation_id: string | null
  audience: string | null
  file_ids: string[]
}

export async function expireProposals(db: Db, now: Date) {
  const isDue = sql`d.state = 'waiting' and d.expires_at <= ${now}`
  await forEachOf(await companiesWith(db, 'proposals', isDue), (company_id) =>
    transaction(db, (tx) => expireOf(tx, company_id, now)),
  )
}

async function expireOf(tx: Db, company_id: string, now: Date) {
  const expired = await endProposals(tx, company_id, now)
  if (!expired.length) return
  await actAs(tx, { actor: null, task: 'expireProposals', now }, async (context) => {
    for (const { id, user_id, conversation_id, audience, file_ids } of expired) {
      await dropFiles(context, { company_id, user_id }, file_ids)
      if (!conversation_id || !audience) continue
      await announceProposal(context, company_id, { audience }, 'proposal.expired', { proposal_id: id })
      await announceChanged(context, company_id, [{ id: conversation_id, audience }])
      await removeIfEmpty(tx, company_id, conversation_id)
    }
  })
}

/** One that was overtaken by messages is outdated. */
async function endProposals(tx: Db, company_id: string, now: Date) {
  const { rows } = await sql<Expired>`
    update proposals p set decided_at = ${now}, state = case when exists (select from messages m
        where m.company_id = ${company_id} and m.conversation_id = p.conversation_id and m.kind = 'message'
          and m.state <> 'cancelled' and m.id > p.id) then 'outdated' else 'expired' end
    where p.company_id = ${company_id} and p.state = 'waiting' and p.expires_at <= ${now}
    returning p.id, p.user_id, p.conversation_id,
      (select v.audience from conversations v where v.company_id = ${company_id} and v.id = p.conversation_id) as audience,
      array(select f ->> 'id' from jsonb_array_elements(p.content -> 'files') f) as file_ids`.execute(tx)
  return rows
}
