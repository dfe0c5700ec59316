import { Tabs } from '@mantine/core'
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { type FilterObjects, hasFaults, parse } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { FilterText } from '../../records/filter/filter-text.tsx'
import { filterObjects } from '../../records/filter/tree.ts'
import { type Block, inlinesOf, sections } from './document.ts'
import { Examples, fitting } from './examples.tsx'
import { Fields, Operators } from './operators.tsx'
import css from './reference.module.css'
import tabs from './tabs.module.css'
import { TryButton, useTriedObject } from './try-out.tsx'

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

/** The whole document. Filters that work with the company's objects can be tried with a click. */
function Rules({ schema }: { schema: ObjectShape[] }) {
  const objects = filterObjects(schema)
  const drawn = useMemo(
    () =>
      sections.map(({ title, blocks }) => (
        <section key={title} className={css.rule}>
          <h3>{title}</h3>
          {blocks.map((block, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the document stays as it is
            <Fragment key={i}>{blockOf(block, objects)}</Fragment>
          ))}
        </section>
      )),
    [objects],
  )
  return <div className={css.rules}>{drawn}</div>
}

function blockOf(block: Block, objects: FilterObjects) {
  const text = (markdown: string) => inline(markdown, objects)
  if (block.kind === 'code')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <pre tabIndex={0}>
        <code>{block.text}</code>
      </pre>
    )
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((item) => (
          <li key={item}>{text(item)}</li>
        ))}
      </ul>
    )
  if (block.kind === 'text') return <p>{text(block.text)}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className={css.wide} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <th key={i} scope="col">
                {text(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={i}>{text(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const inline = (markdown: string, objects: FilterObjects): ReactNode[] =>
  inlinesOf(markdown).map(({ kind, text }, i) => {
    const key = `${i} ${text}`
    if (kind === 'code') return <Code key={key} text={text} objects={objects} />
    if (kind === 'strong') return <strong key={key}>{text}</strong>
    return kind === 'em' ? <em key={key}>{text}</em> : text
  })

function Code({ text, objects }: { text: string; objects: FilterObjects }) {
  if (hasFaults(parse(text))) return <code>{text}</code>
  const example = fitting(text, objects)
  return example ? <TryButton object={example.root} text={text} /> : <FilterText text={text} />
}
