import { randomUUIDv7 } from 'node:crypto'
import type { messages as contract } from '../../../contract/messages.ts'
import { mentionsIn } from '../../../contract/shared/mentions.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, may } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { announceChanged } from '../access/announce.ts'
import { channelFor } from '../channels/allowed.ts'
import type { ChannelKinds } from '../channels/channel.ts'
import { refuseOptedOut } from '../people/do-not-contact.ts'
import { propose, ruleFor, shownProposal } from '../proposals/proposal.ts'
import { cancelled, resent } from '../sending/message-state.ts'
import { beginConversation, queueMessage, takeBegun } from '../sending/queue.ts'
import { targetOf } from '../sending/resolve-message.ts'
import { findTemplate, signedWords } from '../sending/template.ts'
import { removeIfEmpty } from '../thread/empty-conversation.ts'
import { conversationFor, messageFor, type StoredMessage, shown } from '../thread/find-readable.ts'
import { searchOf } from '../thread/search-words.ts'
import { changeConversations } from '../thread/update.ts'
import { removeDraft } from './drafts.ts'

type Own = Pick<
  typeof contract,
  'sendMessage' | 'draftReply' | 'createConversationNote' | 'cancelMessage' | 'retryMessage'
>
export type MessageServices = { baseUrl: URL; channelKinds: ChannelKinds }

export const messageOperations = ({ baseUrl, channelKinds }: MessageServices): Handlers<Own> => ({
  async sendMessage(context, { reason, undo_seconds, draft_id, close, ...input }) {
    const target = await targetOf(context, channelKinds, input)
    const rule = await ruleFor(context, target.channel)
    if (rule) {
      const proposal = await propose(context, target, { reason, rule })
      return { conversation_id: proposal.conversation_id!, message: null, proposal: shownProposal(baseUrl, proposal) }
    }
    const { actor } = context
    Object.assign(target, signedWords(actor!, target))
    const conversation_id = target.conversation?.id ?? (await beginConversation(context, target))
    const delay = target.kind.can.undoSeconds === 0 ? 0 : undo_seconds
    const soonest = new Date(context.now.getTime() + delay * 1000)
    const message = await queueMessage(
      context,
      { ...target, conversation_id },
      {
        by: { user_id: actor!.user_id, api_key_id: actor!.api_key_id, client: context.client },
        send_at: target.send_at && target.send_at > soonest ? target.send_at : soonest,
        canUnsubscribe: target.template_id !== null || actor!.api_key_id !== null,
      },
    )
    if (!target.conversation) await takeBegun(context, conversation_id)
    if (draft_id) await removeDraft(context, draft_id)
    if (close) await changeConversations(context, [conversation_id], { state: 'closed' })
    return { conversation_id, message: shown(message), proposal: null }
  },

  async draftReply(context, { reason, template, ...input }) {
    const template_id = template === undefined ? input.template_id : await findTemplate(context, template)
    const target = await targetOf(context, channelKinds, { ...input, template_id })
    const proposal = await propose(context, target, { reason, rule: 'It was drafted for a person to approve.' })
    return { conversation_id: proposal.conversation_id!, message: null, proposal: shownProposal(baseUrl, proposal) }
  },

  async createConversationNote(context, { id, text, draft_id }) {
    const { company_id, user_id, api_key_id } = actorOf(context)
    const conversation = await conversationFor(context, id)
    const note = {
      company_id,
      id: randomUUIDv7(),
      conversation_id: conversation.id,
      audience: conversation.audience,
      channel_id: conversation.channel_id,
      kind: 'note',
      at: context.now,
      user_id,
      api_key_id,
      client: context.client,
      text,
      state: 'received',
      search: searchOf(text),
    }
    await context.db.insertInto('messages').values(note).execute()
    if (draft_id) await removeDraft(context, draft_id)
    for (const mentioned of mentionsIn(text))
      if (mentioned !== user_id)
        context.emit('conversation.mentioned', {
          conversation_id: conversation.id,
          message_id: note.id,
          user_id: mentioned,
        })
    await announceChanged(context, company_id, [conversation])
    return shown(await messageFor(context, note.id))
  },

  async cancelMessage(context, { id }) {
    const actor = actorOf(context)
    const { company_id, user_id } = actor
    const message = await messageFor(context, id)
    if (message.user_id !== user_id && !may(actor, 'messages.send'))
      throw new AppError('forbidden', `Your role (${actor.role}) only lets you cancel your own messages.`)
    const done = await cancelled(context, message)
    if (!done) throw tooLate(message)
    await removeIfEmpty(context.db, company_id, message.conversation_id)
    return shown(done)
  },

  async retryMessage(context, { id }) {
    const { company_id } = actorOf(context)
    const message = await messageFor(context, id)
    const rule = await ruleFor(context, await channelFor(context, message.channel_id))
    if (rule) throw new AppError('forbidden', `${rule} Someone who can send messages can resend it in the web app.`)
    await refuseOptedOut(
      context,
      message.recipients.map(({ address }) => address),
      message.conversation_id,
    )
    const again = await resent(context, { company_id, id })
    if (!again) throw new AppError('conflict', 'Only messages that failed or whose delivery is unknown can be resent.')
    return shown(again)
  },
})

const tooLate = ({ state, direction }: StoredMessage) =>
  new AppError(
    'conflict',
    direction === 'out' && state !== 'cancelled'
      ? 'This message is being sent or was already sent, so it cannot be cancelled.'
      : 'Only messages that are waiting to be sent can be cancelled.',
  )
