import { Contact } from 'lucide-react'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'

export const Records = () => (
  <Page title="Records" lead="The people, companies and deals that your team keeps.">
    <Message icon={Contact} title="No records yet">
      Every kind of record, built in or your own, will have its list here, for you and for your agents. Records come
      with a later release.
    </Message>
  </Page>
)
