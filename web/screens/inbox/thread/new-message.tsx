import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { abilitiesOf, canSendBy, channelsQuery } from '../../../channels/channels.ts'
import { useArrival } from '../../../ui/basics/keyboard.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Composer } from '../compose/composer.tsx'
import { useDraft } from '../state/use-draft.ts'
import css from './thread.module.css'
import { BackToList } from './thread-header.tsx'

type Props = {
  /** Whom it is for. */
  to: string | undefined
  onSent: (sent: { conversation_id: string; isClosed: boolean }) => void
  onLeave: () => void
  isNarrow: boolean
}

/** A message that begins a conversation. */
export function NewMessage({ to, onSent, onLeave, isNarrow }: Props) {
  const { data: channels } = useQuery(channelsQuery)
  const draft = useDraft(null)
  useArrival()
  const usable = channels?.filter(canSendBy)
  const wanted = to && /^\+\d+$/.test(to) ? 'phone' : 'email'
  const fitting = usable?.filter((one) => abilitiesOf(one).addresses === wanted)
  const own = fitting?.find(({ owner_id }) => owner_id !== null) ?? fitting?.[0] ?? usable?.[0]
  const isMissing = draft.isKnown && !draft.draft && channels !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known that there is none
  useEffect(() => {
    if (isMissing)
      draft.begin({
        kind: 'new',
        channel_id: own?.id ?? null,
        reply_to_id: null,
        cc: [],
        bcc: [],
        subject: '',
        to: to ? [to] : [],
      })
  }, [isMissing])
  const isBegun = draft.draft !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once there is a draft
  useEffect(() => {
    const { draft: before } = draft
    if (!to || !before || before.to.includes(to)) return
    if (before.text.trim() || before.to.length) say('You have an unsent message. Send or discard it first.')
    else draft.change({ to: [to], channel_id: own?.id ?? before.channel_id })
  }, [isBegun, to, own?.id])
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
