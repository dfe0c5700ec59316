import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../client/api.ts'
import { wordsOf } from '../ui/basics/errors.ts'
import { say } from '../ui/basics/notices.tsx'
import { StatusNote } from '../ui/basics/status.tsx'
import { type Channel, useChannelsChanged } from './channels.ts'

/** Connects the mailbox that someone just signed in to at Google or Microsoft, who sent the browser back here. */
export function FinishSignIn({ onDone }: { onDone: (channel: Channel) => void }) {
  const { state, code, error } = useSearch({ strict: false }) as { state?: unknown; code?: unknown; error?: unknown }
  if (error !== undefined) return <StatusNote tone="bad">{refusals[String(error)] ?? refusals.other}</StatusNote>
  if (state === undefined || code === undefined) return null
  // The router reads digits as a number.
  return <Finishing state={String(state)} code={String(code)} onDone={onDone} />
}

/** What the provider says of itself is in no address of ours: anyone could write there. */
const refusals: Record<string, string> = {
  access_denied: 'The mailbox was not connected, because access was not allowed. Connect it again and allow access.',
  other: 'The mailbox was not connected. Sign-in was refused. Connect it again.',
}

type Props = { state: string; code: string; onDone: (channel: Channel) => void }

function Finishing({ state, code, onDone }: Props) {
  const navigate = useNavigate()
  const changed = useChannelsChanged()
  // A query and not a mutation, so that it is asked only once, however often the page is drawn.
  const { data, error } = useQuery({
    queryKey: ['mailbox-sign-in', state],
    queryFn: () => api.completeMailboxSignIn({ state, code }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is connected
  useEffect(() => {
    if (!data) return
    say('Mailbox connected. Syncing messages from the last 90 days.')
    void navigate({ to: '.', search: {}, replace: true })
    void changed()
    onDone(data)
  }, [data])
  if (error) return <StatusNote tone="bad">{wordsOf(error)}</StatusNote>
  return (
    <p role="status">
      <Loader size="xs" color="gray" /> Connecting the mailbox…
    </p>
  )
}
