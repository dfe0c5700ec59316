import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { conversationPage, newConversation } from '../../../client/areas.ts'
import { recent } from '../../../client/recent.ts'
import type { Draft } from '../../../conversations/inbox.ts'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { asNearMoment } from '../../../ui/text/moments.ts'
import { undoable } from './changes.ts'
import { type DraftState, draftQuery, newDraft, saveDraft } from './use-draft.ts'

export type Sending = { close?: boolean; send_at?: string }
type Sent = { conversation_id: string; isClosed: boolean }

const sentHere = recent<() => Promise<void>>(20)

/** Where it was written, it becomes a draft again. */
export const cancelMessage = async (id: string) => {
  const undo = sentHere.get(id)
  sentHere.delete(id)
  await (undo ? undo() : api.cancelMessage({ id }))
}

/** What was sent or discarded becomes a draft again, and is shown. */
function useWriteAgain() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (draft: Draft) => {
    const again = newDraft(draft.conversation_id, draft)
    const saved = await saveDraft({ ...again, id: crypto.randomUUID(), version: 0 })
    client.setQueryData(draftQuery(draft.conversation_id).queryKey, saved)
    await client.invalidateQueries({ queryKey: ['inbox'] })
    const id = draft.conversation_id ?? newConversation
    await navigate({ to: conversationPage, params: { id }, search: true })
  }
}

/** For some seconds it can be brought back, unless nothing was written yet. */
export function useDiscard(state: DraftState) {
  const writeAgain = useWriteAgain()
  return () => {
    const { draft } = state
    void state.drop(true)
    if (draft && (draft.text.trim() || draft.files.length)) undoable('Draft discarded.', () => writeAgain(draft))
  }
}

/** Sends what was written, or adds the note. For some seconds it can be taken back, and is a draft again. */
export function useSend(state: DraftState, onSent: (sent: Sent) => void, undoSeconds: number) {
  const client = useQueryClient()
  const writeAgain = useWriteAgain()
  const [failure, setFailure] = useState<string>()
  const [isPending, setPending] = useState(false)
  const fetchAgain = () => client.invalidateQueries({ queryKey: ['inbox'] })

  const takeBack = async (draft: Draft, message_id: string, close: boolean, made: string) => {
    await api.cancelMessage({ id: message_id })
    if (close) await api.updateConversations({ ids: [made], state: 'open' })
    // Another draft may have been begun here since: then it stays readable among the messages.
    await writeAgain(draft).catch((error: unknown) =>
      complain('Sending cancelled, but the draft couldn’t be restored', error),
    )
  }

  const send = async ({ close = false, send_at }: Sending) => {
    if (state.isJustReplaced())
      return setFailure('This draft was just edited on another device. Review it before sending.')
    setPending(true)
    setFailure(undefined)
    try {
      // The draft is on the server before it becomes a message.
      const draft = await state.save(true)
      if (!draft) return
      const draft_id = draft.version > 0 ? { draft_id: draft.id } : {}
      if (draft.kind === 'note') {
        await api.createConversationNote({ id: draft.conversation_id!, text: draft.text, ...draft_id })
        await state.drop(draft.version === 0)
        say('Note added.')
        onSent({ conversation_id: draft.conversation_id!, isClosed: false })
      } else {
        const startedAt = Date.now()
        const { conversation_id, message } = await api.sendMessage({
          ...(draft.conversation_id && { conversation_id: draft.conversation_id }),
          ...(draft.reply_to_id && { reply_to_id: draft.reply_to_id }),
          ...(draft.channel_id && { channel_id: draft.channel_id }),
          to: draft.to,
          cc: draft.cc,
          bcc: draft.bcc,
          mode: draft.kind === 'forward' ? 'forward' : draft.kind === 'new' ? 'none' : 'reply',
          ...(draft.subject && { subject: draft.subject }),
          text: draft.text,
          file_ids: draft.files.map(({ id }) => id),
          without_file_ids: draft.without_file_ids,
          ...(send_at ? { send_at } : { undo_seconds: undoSeconds }),
          close,
          ...draft_id,
        })
        await state.drop(false)
        const said = send_at
          ? `Scheduled for ${asNearMoment(send_at)}.`
          : close
            ? 'Sending… Conversation closed.'
            : 'Sending…'
        // A chat has it at once.
        if (message && message.send_at !== message.at) {
          const undo = () => takeBack(draft, message.id, close, conversation_id)
          const left = undoSeconds * 1000 - (Date.now() - startedAt)
          const withdraw = undoable(said, undo, send_at ? {} : { endsAfter: Math.max(0, left) })
          sentHere.set(message.id, () => {
            withdraw()
            return undo()
          })
        }
        onSent({ conversation_id, isClosed: close })
      }
      void fetchAgain()
    } catch (error) {
      setFailure(reasonOf(error))
    } finally {
      setPending(false)
    }
  }
  return { send, failure, isPending }
}
