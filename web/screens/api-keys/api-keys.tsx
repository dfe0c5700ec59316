import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { apiConnectors } from '../../client/areas.ts'
import { curlToolsList, keyHeader, keyVariable, mcpEndpoint, mcpHeaders } from '../../keys/clients.ts'
import { RotationSteps } from '../../keys/new-key.tsx'
import { statusCodes } from '../../keys/status-codes.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Page, Section } from '../../ui/basics/page.tsx'
import { DataTable } from '../../ui/page/table.tsx'
import { CodeBlock } from '../../ui/text/code.tsx'
import css from './api-keys.module.css'

const streamFirst = 'text/event-stream, application/json;q=0.5'

/** The reference for people who connect a program or an agent. */
export const ApiKeys = () => (
  <Page
    title="API Keys"
    lead="How programs and agents connect with an API key. Create and delete keys in your profile."
    actions={
      <ButtonLink to={apiConnectors} leftSection={<KeyRound size={15} />}>
        Manage your keys
      </ButtonLink>
    }
  >
    <div className={css.reference}>
      <Section title="What a key is" about="One secret, one owner, one client.">
        <p>
          A key is a secret of 64 letters and digits. Anyone who sends it acts as you, with your role and permissions.
        </p>
        <ul>
          <li>Its value is shown once, when you create it. It cannot be looked up afterwards.</li>
          <li>Your permissions are checked on every request. Role changes take effect immediately.</li>
          <li>A deleted key stops working immediately and cannot be restored.</li>
          <li>
            Create and delete keys under <Link to={apiConnectors}>Profile, API & Connectors</Link>. A key cannot create
            other keys.
          </li>
        </ul>
      </Section>
      <Section title="Send it" about="With every request, for both MCP and REST.">
        <CodeBlock code={`${keyHeader}: $${keyVariable}`} what="header" caption="HTTP header" />
        <CodeBlock code={mcpEndpoint} what="MCP endpoint" caption="MCP endpoint, streamable HTTP" />
        <p>
          All REST operations are in the <a href="/api/v1/openapi.json">OpenAPI description</a>.
        </p>
      </Section>
      <Section title="A first call" about="Lists the tools that the key can use.">
        <CodeBlock code={curlToolsList(`$${keyVariable}`)} what="curl command" caption="curl" />
      </Section>
      <Section title="JSON or event stream" about="You choose with the Accept header.">
        <p>
          The MCP endpoint requires an <code>Accept</code> header that lists both <code>application/json</code> and{' '}
          <code>text/event-stream</code>; anything else, including <code>*/*</code>, returns 406. You get the type with
          the higher <code>q</code>, or the first one if they are equal.
        </p>
        <CodeBlock code={`Accept: ${mcpHeaders.Accept}`} what="Accept for JSON" caption="Answers with JSON" />
        <CodeBlock code={`Accept: ${streamFirst}`} what="Accept for a stream" caption="Answers with an event stream" />
      </Section>
      <Section title="Status codes" about="What each response means and what to do.">
        <DataTable
          bare
          label="Status codes"
          className={css.table}
          stackOn="phone"
          columns={[
            { key: 'status', label: 'Status', cell: ({ status }) => status },
            { key: 'meaning', label: 'What it means', cell: ({ meaning }) => meaning },
            { key: 'todo', label: 'What to do', cell: ({ todo }) => todo },
          ]}
          items={statusCodes}
          keyOf={({ status }) => status}
        />
      </Section>
      <Section title="Keep it safe" about="Kith does not enforce these, but we recommend them.">
        <ul>
          <li>Keep the key in an environment variable or a secret manager, not in a config file.</li>
          <li>
            Use one key per client. The audit log stays readable, and you can revoke one client without affecting the
            others.
          </li>
          <li>
            Rotate when a device that stores the key is lost or compromised, when a teammate with access leaves, or when
            you suspect a leak.
          </li>
        </ul>
      </Section>
      <Section title="Rotate it" about="In this order, every client always has a working key.">
        <RotationSteps />
        <p>“Rotate” in the menu of a key guides you through it and shows which clients still use the old one.</p>
      </Section>
    </div>
  </Page>
)
