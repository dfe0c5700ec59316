import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { abilitiesOf, canSendBy, channelsQuery } from '../channels/channels.ts'
import { conversationPage, newConversation } from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'

/** Writes to an address or a number in the inbox. Undefined where that is not possible. */
export function useWriteTo() {
  const { may } = useSignedIn()
  const navigate = useNavigate()
  const { data: channels } = useQuery({ ...channelsQuery, enabled: may('messages.send') })
  const write = (to: string) => void navigate({ to: conversationPage, params: { id: newConversation }, search: { to } })
  const by = (kind: 'email' | 'phone') =>
    channels?.some((one) => canSendBy(one) && abilitiesOf(one).addresses === kind) ? write : undefined
  return { email: by('email'), phone: by('phone') }
}
