import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { routeOf } from '../../../contract/operation.ts'
import { routes } from '../../../contract/shared/routes.ts'
import { keyHeader, keyVariable, mcpPath } from '../../keys/clients.ts'
import { CodeBlock } from '../../ui/text/code.tsx'
import css from './filter-syntax.module.css'
import tabs from './tabs.module.css'

/** The filter for each way in, ready to paste. */
export function CopyAs({ question }: { question: Question }) {
  const [key, choose] = useState<string | null>('text')
  return (
    <section className={css.copy} aria-labelledby="copy-as">
      <h2 id="copy-as">Copy as</h2>
      <Tabs value={key} onChange={choose} keepMounted={false}>
        <Tabs.List className={tabs.tabs}>
          {copies(question).map((copy) => (
            <Tabs.Tab key={copy.key} value={copy.key}>
              {copy.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {copies(question).map((copy) => (
          <Tabs.Panel key={copy.key} value={copy.key} pt="sm">
            {copy.code ? (
              <CodeBlock code={copy.code} what={copy.what} caption={copy.where} />
            ) : (
              <p className={css.none}>No filter: all records.</p>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}

// The same question for each way in. A key is never in it, only the variable that holds one.

type Question = { object: string; text: string; json: unknown }

const copies = (question: Question) => [
  {
    key: 'text',
    name: 'Text',
    what: 'filter as text',
    where: 'In lists, URLs, the API and tools',
    code: question.text,
  },
  {
    key: 'json',
    name: 'JSON',
    what: 'filter as JSON',
    where: 'In the body of a request, as filter',
    code: JSON.stringify(question.json, null, 2),
  },
  { key: 'url', name: 'REST URL', what: 'REST URL', where: `GET, with a key in ${keyHeader}`, code: restUrl(question) },
  {
    key: 'curl',
    name: 'curl',
    what: 'curl command',
    where: `In a terminal where ${keyVariable} is set`,
    code: curl(question),
  },
  {
    key: 'mcp',
    name: 'MCP call',
    what: 'MCP call',
    where: `What an agent sends to ${mcpPath}`,
    code: mcpCall(question),
  },
]

const listPath = ({ object }: Question) =>
  `${location.origin}/api/v1${routeOf(routes.listRecords).path.replace(':object', object)}`

function restUrl(question: Question) {
  const query = question.text && `?${new URLSearchParams({ filter: question.text })}`
  return listPath(question) + query
}

function curl(question: Question) {
  const filter = `filter=${question.text}`.replaceAll("'", "'\\''")
  const lines = [`curl -sSG ${listPath(question)}`, `  -H "${keyHeader}: $${keyVariable}"`]
  return [...lines, ...(question.text ? [`  --data-urlencode '${filter}'`] : [])].join(' \\\n')
}

function mcpCall({ object, text }: Question) {
  const call = { name: 'query_records', arguments: { object, ...(text && { filter: text }) } }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, null, 2)
}
