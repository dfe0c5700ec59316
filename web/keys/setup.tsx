import { Button, Chip, Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock, CopyCode } from '../ui/text/code.tsx'
import { type Client, clients, keyHeader, keyVariable, mcpHeaders, mcpPath, type Steps } from './clients.ts'
import { keysQuery, testName } from './keys.ts'
import css from './new-key.module.css'
import { statusCodes } from './status-codes.ts'

type Props = { name: string; value: string; onCopied: () => void }

/** The lines that connect a client, ready to paste. */
export function Setup({ name, value, onCopied }: Props) {
  const [client, choose] = useState(() => clientFor(name))
  return (
    <section className={css.part} aria-label="Set up the client">
      <h3>Set up the client</h3>
      <ClientChips client={client} onChoose={choose} />
      <Tabs key={client.name} defaultValue="environment" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="environment">Environment variable</Tabs.Tab>
          <Tabs.Tab value="literal">Literal</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="environment" className={css.panel}>
          <WithVariable client={client} />
        </Tabs.Panel>
        <Tabs.Panel value="literal" className={css.panel}>
          <Lines client={client} content={client.literal(value)} onCopied={onCopied} />
          <p className={css.hint}>Contains the key itself. Keep it out of repositories, backups and screenshots.</p>
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

/** The same for keys that exist already, whose value no one knows any more. */
export function SetupLater() {
  const [client, choose] = useState(clients[0]!)
  return (
    <>
      <ClientChips client={client} onChoose={choose} />
      <div className={css.panel}>
        <WithVariable client={client} />
      </div>
    </>
  )
}

const ClientChips = ({ client, onChoose }: { client: Client; onChoose: (client: Client) => void }) => (
  <Chip.Group value={client.name} onChange={(chosen) => onChoose(clientFor(String(chosen)))}>
    <div className={css.chips} role="radiogroup" aria-label="Client">
      {clients.map((one) => (
        <Chip key={one.name} value={one.name} size="sm" variant="outline">
          {one.name}
        </Chip>
      ))}
    </div>
  </Chip.Group>
)

const WithVariable = ({ client }: { client: Client }) => (
  <>
    <Lines client={client} content={client.environment} />
    <p className={css.hint}>
      {client.note ?? `Set ${keyVariable} to the key where ${client.name} runs, then start it from there.`}
    </p>
  </>
)

const clientFor = (name: string) =>
  clients.find((client) => client.name.split(' / ').some((part) => name.toLowerCase().includes(part.toLowerCase()))) ??
  clients[0]!

type LinesProps = { client: Client; content: string | Steps; onCopied?: () => void }

function Lines({ client, content, onCopied }: LinesProps) {
  if (typeof content === 'string')
    return (
      <CodeBlock code={content} what={`configuration for ${client.name}`} caption={client.where} onCopied={onCopied} />
    )
  return (
    <ol className={css.steps}>
      {content.map(([text, value]) => (
        <li key={text}>
          {text} {value && <CopyCode value={value} what="value" whole onCopied={onCopied} />}
        </li>
      ))}
    </ol>
  )
}

/** Plain state on purpose: a mutation would hold on to the key after the dialog is gone. */
export function ConnectionTest({ value }: { value: string }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const answer = useRef<HTMLDivElement>(null)
  // The result appears at the end of a long dialog, below the visible part.
  useEffect(() => {
    if (outcome) answer.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome])
  const test = async () => {
    setBusy(true)
    setOutcome(await listTools(value))
    setBusy(false)
    // The test is a use of the key, so the list behind the dialog is no longer true.
    void client.invalidateQueries({ queryKey: keysQuery.queryKey })
  }
  return (
    <section className={css.part} aria-label="Connection">
      <div className={css.head}>
        <h3>Connection</h3>
        <Button variant="default" size="xs" loading={busy} leftSection={<PlugZap size={14} />} onClick={test}>
          Test connection
        </Button>
      </div>
      <p className={css.hint}>Lists the tools that this key can use via MCP.</p>
      <div role="status" ref={answer}>
        {outcome && <Result outcome={outcome} />}
      </div>
    </section>
  )
}

function Result({ outcome }: { outcome: Outcome }) {
  if ('fault' in outcome)
    return (
      <div className={css.outcome}>
        <CircleAlert size={16} />
        <div>
          <p>{outcome.fault}</p>
          <p>{outcome.todo}</p>
        </div>
      </div>
    )
  const { tools } = outcome
  return (
    <>
      <div className={css.outcome} data-tone="ok">
        <CircleCheck size={16} />
        <p>Connected. This key can use {tools.length === 1 ? '1 tool' : `${tools.length} tools`}.</p>
      </div>
      <ul className={css.tools} aria-label="Tools">
        {tools.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </>
  )
}

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: testName } } },
})

type Outcome = { tools: string[] } | { fault: string; todo: string }

type Answer = { result?: { tools?: { name: string }[] }; error?: { message: string } }

/** Asks exactly as a client would: with the key alone, without the session of this browser. */
async function listTools(key: string): Promise<Outcome> {
  const headers = { ...mcpHeaders, [keyHeader]: key }
  const init: RequestInit = { method: 'POST', headers, body, credentials: 'omit', cache: 'no-store' }
  const response = await fetch(mcpPath, init).catch(() => null)
  if (!response) return { fault: 'The server cannot be reached', todo: 'Check the connection, then test again.' }
  const answer = await read(response)
  if (answer?.result?.tools) return { tools: answer.result.tools.map(({ name }) => name) }
  const known = statusCodes.find(({ status }) => status === response.status && status >= 400)
  return {
    fault: `${response.status}: ${answer?.error?.message ?? known?.meaning ?? 'The response could not be read'}`,
    todo: known?.todo ?? 'Test again shortly. If it keeps failing, send this to the person who runs your Kith server.',
  }
}

/** JSON, or the same JSON as the last event of a stream. */
async function read(response: Response): Promise<Answer | null> {
  const text = await response.text().catch(() => '')
  const isStream = response.headers.get('content-type')?.includes('text/event-stream')
  const data = isStream
    ? text
        .split('\n')
        .findLast((line) => line.startsWith('data:'))
        ?.slice(5)
    : text
  try {
    return JSON.parse(data ?? '') as Answer
  } catch {
    return null
  }
}
