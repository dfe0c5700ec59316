import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { type ApiDocument, type ApiOperation, exampleOf } from '../../../contract/document/api-document.ts'
import { callOf, type Language, snippetsOf } from '../../../contract/document/snippets.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { CodeBlock } from '../../ui/text/code.tsx'
import css from './api-page.module.css'
import { readTyped, startOf, useSuggestions } from './input.ts'
import { TryIt } from './try-it.tsx'

type Props = {
  document: ApiDocument
  operation: ApiOperation
  object: ObjectShape | undefined
  apiKey: string
  onKey: (key: string) => void
}

// The language stays when another operation is chosen.
let lastLanguage: Language = 'curl'

/** The call in every language, with what is typed below; and a way to send it. */
export function CallPanel({ document, operation, object, apiKey, onKey }: Props) {
  const [typed, setTyped] = useState(() => startOf(operation, object))
  const [hasChosen, setChosen] = useState(false)
  const { name, suggestions } = useSuggestions(document, operation, object)
  const [first] = suggestions
  const parameters = name && first && !hasChosen ? { ...typed.parameters, [name]: first.value } : typed.parameters
  const { input, error } = readTyped(operation, { ...typed, parameters })
  const call = callOf(operation, { ...(error && exampleOf(operation)), ...input }, location.origin)
  return (
    <div className={css.panel}>
      <Snippets of={snippetsOf(call)} />
      <TryIt
        operation={operation}
        call={call}
        parameters={parameters}
        body={typed.body}
        error={error}
        suggested={name}
        suggestions={suggestions}
        apiKey={apiKey}
        onKey={onKey}
        onParameter={(changed, value) => {
          if (changed === name) setChosen(true)
          setTyped({ ...typed, parameters: { ...parameters, [changed]: value } })
        }}
        onBody={(body) => setTyped({ ...typed, body })}
      />
    </div>
  )
}

function Snippets({ of: snippets }: { of: ReturnType<typeof snippetsOf> }) {
  const [language, choose] = useState<string | null>(lastLanguage)
  return (
    <Tabs
      value={language}
      keepMounted={false}
      onChange={(chosen) => {
        lastLanguage = chosen as Language
        choose(chosen)
      }}
    >
      <Tabs.List className={css.languages} aria-label="Language">
        {snippets.map(({ language, name }) => (
          <Tabs.Tab key={language} value={language}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, name, about, code }) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          {code ? (
            <CodeBlock code={code} what={name} caption={about} />
          ) : (
            <p className={css.note}>Agents have no tool for this. They can use the REST API.</p>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
