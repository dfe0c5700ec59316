import { Tabs } from '@mantine/core'
import { memo } from 'react'
import { inSentence } from '../../../contract/in-sentence.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { Examples } from './examples.tsx'
import { Fields } from './fields.tsx'
import { Operators } from './operators.tsx'
import css from './reference.module.css'
import { Rules } from './rules.tsx'
import tabs from './tabs.module.css'
import { useTriedObject } from './tried.ts'

/** What one may write: by example, by type, by field, and the whole of it. */
export const Reference = memo(function Reference({ schema }: { schema: ObjectShape[] }) {
  const object = useTriedObject(schema)
  return (
    <section className={css.reference} aria-label="Reference">
      <Tabs defaultValue="examples" keepMounted={false}>
        <Tabs.List className={tabs.tabs}>
          <Tabs.Tab value="examples">Examples</Tabs.Tab>
          <Tabs.Tab value="operators">Operators by type</Tabs.Tab>
          <Tabs.Tab value="fields">Fields of {inSentence(object.label_plural)}</Tabs.Tab>
          <Tabs.Tab value="rules">The whole language</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="examples" pt="lg">
          <Examples schema={schema} object={object} />
        </Tabs.Panel>
        <Tabs.Panel value="operators" pt="lg">
          <Operators schema={schema} object={object} />
        </Tabs.Panel>
        <Tabs.Panel value="fields" pt="lg">
          <Fields schema={schema} object={object} />
        </Tabs.Panel>
        <Tabs.Panel value="rules" pt="lg">
          <Rules schema={schema} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
})
