import { Send } from 'lucide-react'
import { Page } from '../../ui/page.tsx'
import { Message } from '../../ui/states.tsx'

export const LeadSending = () => (
  <Page title="Lead sending" lead="Passes leads on to partners, buyers, teams or systems.">
    <Message icon={Send} title="No leads are being sent">
      Rules will decide here which lead goes where, and a log will show every delivery. Rules come with a later release.
    </Message>
  </Page>
)
