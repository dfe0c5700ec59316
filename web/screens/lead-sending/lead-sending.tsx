import { Send } from 'lucide-react'
import { Page } from '../../ui/page.tsx'
import { Message } from '../../ui/states.tsx'

export const LeadSending = () => (
  <Page title="Lead sending" lead="Send leads to partners, buyers, teams or systems.">
    <Message icon={Send} title="No leads are being sent">
      Rules that route leads, and a log of every delivery, are coming in a later release.
    </Message>
  </Page>
)
