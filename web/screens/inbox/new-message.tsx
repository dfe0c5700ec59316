import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { channelsQuery } from '../../inbox/channels.ts'
import { useArrival } from '../../ui/keyboard.ts'
import { Composer } from './composer.tsx'
import css from './thread.module.css'
import { BackToList } from './thread-header.tsx'
import { useDraft } from './use-draft.ts'

type Props = {
  onSent: (sent: { conversation_id: string; isClosed: boolean }) => void
  onLeave: () => void
  isNarrow: boolean
}

/** A message that begins a conversation. */
export function NewMessage({ onSent, onLeave, isNarrow }: Props) {
  const { data } = useQuery(channelsQuery)
  // Only visitors begin a chat.
  const channels = data?.filter(({ kind }) => kind !== 'chat')
  const draft = useDraft(null)
  useArrival()
  const own = channels?.find(({ is_mine, owner_id }) => is_mine && owner_id !== null) ?? channels?.[0]
  const isMissing = draft.isKnown && !draft.draft && channels !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known that there is none
  useEffect(() => {
    if (isMissing)
      draft.begin({ kind: 'new', channel_id: own?.id ?? null, reply_to_id: null, to: [], cc: [], bcc: [], subject: '' })
  }, [isMissing])
  return (
    <div className={css.thread}>
      <header className={css.header}>
        {isNarrow && <BackToList onClick={onLeave} />}
        <div className={css.title}>
          <h1 tabIndex={-1}>New message</h1>
        </div>
      </header>
      {draft.draft && (
        <div className={css.whole}>
          <Composer
            state={{
              ...draft,
              drop: async (isDiscarded) => {
                await draft.drop(isDiscarded)
                if (isDiscarded) onLeave()
              },
            }}
            draft={draft.draft}
            isFocused
            onTyping={() => {}}
            onSent={onSent}
          />
        </div>
      )}
    </div>
  )
}
