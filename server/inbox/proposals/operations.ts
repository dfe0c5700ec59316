import { sql } from 'kysely'
import type { proposals as contract } from '../../../contract/proposals.ts'
import { deceptive } from '../../../contract/shared/shapes.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import type { Files } from '../../files/queries.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { pageFrom, readIdCursor } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { announceChanged, announceProposal } from '../access/announce.ts'
import { audiencesOf } from '../access/visible.ts'
import { channelFor } from '../channels/allowed.ts'
import type { ChannelKinds } from '../channels/channel.ts'
import { refuseOptedOut } from '../people/do-not-contact.ts'
import { dropFiles, messageFile } from '../sending/attachments.ts'
import { queueMessage, takeBegun } from '../sending/queue.ts'
import { kindOf } from '../sending/resolve-message.ts'
import { signedWords } from '../sending/template.ts'
import { removeIfEmpty } from '../thread/empty-conversation.ts'
import { type Answerable, conversationIfVisible, findMessageUnchecked } from '../thread/find-readable.ts'
import { findProposalUnchecked, listReadable, type ProposalRow, shownProposal } from './proposal.ts'

type Services = { baseUrl: URL; channelKinds: ChannelKinds; files: Files }

export const proposalOperations = ({ baseUrl, channelKinds, files }: Services): Handlers<typeof contract> => ({
  async listProposals(context, { state, conversation_id, limit, cursor }) {
    const actor = actorOf(context)
    const { ids: audiences } = await audiencesOf(context)
    const before = cursor === undefined ? null : readIdCursor(cursor)
    const found = await listReadable(context.db, actor, audiences, { state, conversation_id, before, limit: limit + 1 })
    const { rows, next_cursor } = pageFrom(found, limit)
    return { items: rows.map((row) => shownTo(context, baseUrl, row)), next_cursor }
  },

  async getProposal(context, { id }) {
    const { proposal } = await readable(context, id)
    return shownTo(context, baseUrl, proposal)
  },

  async downloadProposalFile(context, { id, file_id }) {
    const { proposal } = await readable(context, id)
    return messageFile(context, files, proposal.content.files, file_id)
  },

  async decideProposal(context, { id, decision, text, subject, note, anyway }) {
    const actor = actorOf(context)
    const { proposal, conversation } = await readable(context, id)
    if (!conversation)
      throw new AppError(
        'forbidden',
        'You cannot read the conversation of this proposal, so you cannot approve or reject it.',
      )
    if (decision === 'approve' && proposal.changed && !anyway)
      throw new AppError(
        'conflict',
        `The conversation changed since this was proposed: ${proposal.changed}. Check it, then approve anyway or reject.`,
      )
    const content = { ...proposal.content, ...signedWords(actor, proposal.content) }
    const isEdited =
      decision === 'approve' &&
      ((text !== undefined && text !== content.text) || (subject !== undefined && subject !== content.subject))
    const state = decision === 'reject' ? 'rejected' : isEdited ? 'edited' : 'approved'
    const { rows } = await sql`
      update proposals set state = ${state}, decided_at = ${context.now}, decided_by = ${actor.user_id}, note = ${note}
      where company_id = ${actor.company_id} and id = ${id} and state = 'waiting' and expires_at > ${context.now} returning id`.execute(
      context.db,
    )
    if (!rows.length) throw await alreadyDecided(context, id)
    if (decision === 'approve') {
      const words = { text: text ?? content.text, subject: subject ?? content.subject }
      const message_id = await sendProposed(context, channelKinds, proposal, conversation, words)
      await takeBegun(context, conversation.id)
      const result = { message_id, ...(isEdited && { text: words.text }) }
      await sql`update proposals set result = ${JSON.stringify(result)} where company_id = ${actor.company_id} and id = ${id}`.execute(
        context.db,
      )
    } else {
      await dropFiles(
        context,
        proposal,
        content.files.map((file) => file.id),
      )
      await removeIfEmpty(context.db, actor.company_id, conversation.id)
    }
    const decided = { proposal_id: id, user_id: proposal.user_id }
    await announceProposal(context, actor.company_id, conversation, 'proposal.decided', decided)
    await announceChanged(context, actor.company_id, [conversation])
    return shownTo(context, baseUrl, (await findProposalUnchecked(context.db, actor.company_id, id))!)
  },
})

/** A person sees it as they would send it. */
const shownTo = (context: Context, baseUrl: URL, row: ProposalRow) => ({
  ...shownProposal(baseUrl, row),
  ...(!actorOf(context).api_key_id && signedWords(actorOf(context), row.content)),
})

/** One's own, or one in a conversation that one may read. */
async function readable(context: Context, id: string) {
  const actor = actorOf(context)
  const proposal = await findProposalUnchecked(context.db, actor.company_id, id)
  const conversation = proposal?.conversation_id
    ? await conversationIfVisible(context, actor, proposal.conversation_id)
    : undefined
  if (!proposal || (!conversation && proposal.user_id !== actor.user_id))
    throw new AppError('not_found', 'Proposal not found. It was deleted, or its mailbox belongs to someone else.')
  return { proposal, conversation }
}

async function alreadyDecided({ db, actor }: Context, id: string) {
  const proposal = await findProposalUnchecked(db, actor!.company_id, id)
  const by = proposal?.decided_by_name
  return new AppError('conflict', by ? `${by} already ${proposal.state} this proposal.` : 'This proposal has expired.')
}

type Words = { text: string; subject: string }

/** Everything is checked again: what the agent and the approver may do today, and whom the message may go to. */
async function sendProposed(
  context: Context,
  kinds: ChannelKinds,
  proposal: ProposalRow,
  conversation: Answerable,
  words: Words,
) {
  const { company_id, user_id, content } = { ...proposal }
  const author = await findActorById(context.db, company_id, user_id)
  if (!author || !(await conversationIfVisible(context, author, conversation.id)))
    throw new AppError(
      'conflict',
      `${proposal.user_name} can no longer read this conversation. Reject the proposal and write the message yourself.`,
    )
  const channel = await channelFor(context, content.channel_id)
  const kind = kindOf(kinds, channel)
  const { can } = kind
  if (!words.text.trim() && !content.files.length && content.mode !== 'forward')
    throw refused('text', 'Write a message')
  if (words.text.length > can.mostText) throw refused('text', `This channel allows at most ${can.mostText} characters`)
  if (deceptive.test(words.subject)) throw refused('subject', 'Remove line breaks and invisible control characters')
  await refuseOptedOut(
    context,
    content.recipients.map(({ address }) => address),
    conversation.id,
  )
  const template = content.template ?? null
  const about = { conversationId: conversation.id, text: words.text, template }
  const refusal = await kind.refusal?.(channel, about, context.now, context.db)
  if (refusal) throw new AppError('conflict', refusal)
  const { mode, recipients, files, template_id } = content
  const later = content.send_at ? new Date(content.send_at) : null
  const target = {
    channel,
    kind,
    conversation,
    conversation_id: conversation.id,
    mode,
    recipients,
    files,
    template_id,
    template,
    ...words,
  }
  const message = await queueMessage(
    context,
    {
      ...target,
      replyTo: content.reply_to_id
        ? ((await findMessageUnchecked(context.db, company_id, content.reply_to_id)) ?? null)
        : null,
      send_at: later,
    },
    {
      by: { user_id, api_key_id: proposal.api_key_id, client: proposal.client },
      send_at: later && later > context.now ? later : context.now,
      canUnsubscribe: true,
      data: { proposal_id: proposal.id, approved_by: actorOf(context).user_id },
    },
  )
  return message.id
}
