// What can be done with conversations, by key, button or selection alike.
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type Conversation, subjectOf } from '../../../conversations/inbox.ts'
import { asNearMoment } from '../../../ui/text/moments.ts'
import { type Change, changeConversations, markRead, move } from './changes.ts'

type Settings = {
  /** Whether a conversation stays in the list that is shown. */
  fits: ((one: Conversation) => boolean) | undefined
  /** Conversations are about to leave the list. */
  onLeave: (ids: string[]) => void
  /** This one should be shown again. */
  onBack: (id: string) => void
}

export type Triage = ReturnType<typeof useTriage>

export function useTriage({ fits, onLeave, onBack }: Settings) {
  const { me } = useSignedIn()
  const change = (of: Conversation[], change: Change, said: string) => {
    const isLeaving = (one: Conversation) => fits?.(one) && !fits({ ...one, ...change } as Conversation)
    const leaving = of.filter(isLeaving).map(({ id }) => id)
    if (leaving.length) onLeave(leaving)
    void changeConversations(of, change, {
      said,
      fits,
      onUndone: () => of.length === 1 && leaving.length > 0 && onBack(of[0]!.id),
    })
  }
  const counted = (of: Conversation[], one: string, many: string) => (of.length === 1 ? one : `${of.length} ${many}`)
  return {
    setState: (of: Conversation[], state: 'open' | 'closed' | 'spam') => {
      const words = {
        open: counted(of, 'Conversation reopened.', 'conversations reopened.'),
        closed: counted(of, 'Conversation closed.', 'conversations closed.'),
        spam: counted(of, 'Marked as spam.', 'conversations marked as spam.'),
      }
      change(of, { state }, words[state])
    },
    snooze: (of: Conversation[], at: string) =>
      change(of, { state: 'snoozed', snoozed_until: at }, `Snoozed until ${asNearMoment(at)}.`),
    assign: (of: Conversation[], user: { id: string; name: string } | null) =>
      change(
        of,
        { assignee_id: user?.id ?? null },
        user ? `Assigned to ${user.id === me.id ? 'you' : user.name}.` : 'Unassigned.',
      ),
    label: (of: Conversation[], { id, name }: { id: string; name: string }, isSet: boolean) =>
      change(
        of,
        isSet ? { add_label_ids: [id] } : { remove_label_ids: [id] },
        isSet ? `Labeled “${name}”.` : `Label “${name}” removed.`,
      ),
    read: (of: Conversation[], is: boolean) => void markRead(of, is, is ? 'Marked as read.' : 'Marked as unread.'),
    merge: async (of: Conversation, into: Pick<Conversation, 'id' | 'subject'>) => {
      const id = await move(
        api.mergeConversations({ id: of.id, into_id: into.id }),
        `Merged into “${subjectOf(into)}”.`,
        () => onBack(of.id),
      )
      if (id) onBack(id)
    },
    split: async (id: string, message_ids: string[]) => {
      const made = await move(api.splitConversation({ id, message_ids }), 'Split into a new conversation.', () =>
        onBack(id),
      )
      if (made) onBack(made)
    },
  }
}
