import { Inbox as InboxIcon } from 'lucide-react'
import { Page } from '../../ui/page.tsx'
import { Message } from '../../ui/states.tsx'

export const Inbox = () => (
  <Page title="Inbox" lead="Conversations with the people you work with, in one place.">
    <Message icon={InboxIcon} title="No conversations yet">
      Messages from every connected channel will arrive here, next to the record they belong to. No channel can be
      connected in this release.
    </Message>
  </Page>
)
