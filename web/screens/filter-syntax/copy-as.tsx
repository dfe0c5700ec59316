import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { copies, type Question } from './copies.ts'
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
              <p className={css.none}>No filter: every record.</p>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}
