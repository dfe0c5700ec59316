import { Chip, Tabs } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyCode } from '../ui/copy-code.tsx'
import { type Client, clients, type Steps } from './clients.ts'
import { keyVariable } from './mcp.ts'
import css from './new-key.module.css'

type Props = { name: string; value: string; onCopied: () => void }

/** The lines that connect a client, ready to paste. */
export function Setup({ name, value, onCopied }: Props) {
  const [client, choose] = useState(() => clientFor(name))
  return (
    <section className={css.part} aria-label="Set up the client">
      <h3>Set up the client</h3>
      <Chip.Group value={client.name} onChange={(chosen) => choose(clientFor(String(chosen)))}>
        <div className={css.chips} role="radiogroup" aria-label="Client">
          {clients.map((one) => (
            <Chip key={one.name} value={one.name} size="sm" variant="outline">
              {one.name}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      <Tabs key={client.name} defaultValue="environment" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="environment">Environment variable</Tabs.Tab>
          <Tabs.Tab value="literal">Literal</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="environment" className={css.panel}>
          <Lines client={client} content={client.environment} />
          <p className={css.hint}>
            {client.note ?? `Set ${keyVariable} to the key where ${client.name} runs, then start it from there.`}
          </p>
        </Tabs.Panel>
        <Tabs.Panel value="literal" className={css.panel}>
          <Lines client={client} content={client.literal(value)} onCopied={onCopied} />
          <p className={css.hint}>Holds the key itself. Keep it out of repositories, backups and screenshots.</p>
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

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
