import { KeyRound } from 'lucide-react'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'

export const ApiKeys = () => (
  <Page title="API Keys" lead="How programs and agents get in, acting as the person who made the key.">
    <Message icon={KeyRound} title="No keys yet">
      <p>Keys are made under Profile, API & Connectors. This comes with the next release.</p>
      <p>
        What keys will be able to do is described already in the <a href="/api/v1/openapi.json">OpenAPI description</a>.
      </p>
    </Message>
  </Page>
)
