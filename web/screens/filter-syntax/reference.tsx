import { Tabs } from '@mantine/core'
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { type FilterObjects, hasFaults, parse } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/in-sentence.ts'
import text from '../../../docs/filter-syntax.md?raw'
import { FilterText } from '../../records/filter/filter-text.tsx'
import { filterObjects } from '../../records/filter/tree.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { Examples, fitting, useTriedObject, TryButton } from './examples.tsx'
import { Fields, Operators } from './operators.tsx'
import css from './reference.module.css'
import tabs from './tabs.module.css'

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

/** The whole document. What is a filter of one's own objects can be tried with a click. */
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

// The document that also agents read: what this page says of the language is said there.

const [lead, ...others] = sectionsOf(text)

/** The table of operators is left out: this page makes it from the language itself. */
const sections = others.filter(({ title }) => title !== 'Operators by type')

export const exampleLines = lead!.blocks.flatMap((block) => (block.kind === 'code' ? block.text.split('\n') : []))

// Reads the little Markdown that docs/filter-syntax.md is written in: the page and the document are one text.

type Block =
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'list'; items: string[] }
  | { kind: 'text'; text: string }
export type Section = { title: string; blocks: Block[] }

/** The sections below the title of the document; the first, without a name, is its lead. */
function sectionsOf(markdown: string): Section[] {
  const [lead = '', ...rest] = markdown.split(/^## /m)
  const sections = rest.map((part) => {
    const end = part.indexOf('\n')
    return { title: part.slice(0, end), blocks: blocksOf(part.slice(end)) }
  })
  return [{ title: '', blocks: blocksOf(lead.replace(/^# .*$/m, '')) }, ...sections]
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  while (lines.length) {
    const line = lines[0]!
    if (line.startsWith('```')) {
      const end = lines.indexOf('```', 1)
      blocks.push({
        kind: 'code',
        text: lines
          .splice(0, end + 1)
          .slice(1, -1)
          .join('\n'),
      })
    } else if (line.startsWith('|')) blocks.push(tableOf(take(lines, (one) => one.startsWith('|'))))
    else if (line.startsWith('- ')) {
      blocks.push({ kind: 'list', items: take(lines, (one) => one.startsWith('- ')).map((one) => one.slice(2)) })
    } else if (line.trim() === '') lines.shift()
    else blocks.push({ kind: 'text', text: take(lines, (one) => /^[^|`\s-]|^`[^`]|^``[^`]/.test(one)).join(' ') })
  }
  return blocks
}

/** The first lines as long as they fit, and at least one. */
function take(lines: string[], fits: (line: string) => boolean) {
  const end = lines.findIndex((line, i) => i > 0 && !fits(line))
  return lines.splice(0, end < 0 ? lines.length : end)
}

function tableOf(lines: string[]): Block {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  const [head = '', , ...rows] = lines
  return { kind: 'table', head: cells(head), rows: rows.map(cells) }
}

export type Inline = { kind: 'plain' | 'code' | 'strong' | 'em'; text: string }

function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = []
  let done = 0
  for (const match of text.matchAll(/``\s?(.+?)\s?``|`([^`]+)`|\*\*(.+?)\*\*|\*([^*]+)\*/g)) {
    if (match.index > done) inlines.push({ kind: 'plain', text: text.slice(done, match.index) })
    const [, twice, code, strong, em] = match
    if (twice ?? code) inlines.push({ kind: 'code', text: (twice ?? code)! })
    else inlines.push(strong ? { kind: 'strong', text: strong } : { kind: 'em', text: em! })
    done = match.index + match[0].length
  }
  if (done < text.length) inlines.push({ kind: 'plain', text: text.slice(done) })
  return inlines
}
