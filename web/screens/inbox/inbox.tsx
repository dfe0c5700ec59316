import { Inbox as InboxIcon } from 'lucide-react'
import { Page } from '../../ui/page.tsx'
import { Message } from '../../ui/states.tsx'

export const Inbox = () => (
  <Page title="Inbox" lead="Conversations with the people you work with, in one place.">
    <Message icon={InboxIcon} title="No conversations yet">
      Messages from connected channels will appear here. This release has no channels yet.
    </Message>
  </Page>
)
