import { useQuery } from '@tanstack/react-query'
import type { JSONContent } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { MarkdownManager } from '@tiptap/markdown'
import StarterKit from '@tiptap/starter-kit'
import { Component, type ReactNode, useMemo } from 'react'
import { isFormattable } from '../../contract/shared/formattable.ts'
import { knownUsersQuery } from '../users/users.ts'
import { Mention } from './mention.tsx'
import css from './notes.module.css'

export function MarkdownView({ text }: { text: string }) {
  if (!isFormattable(text)) return <PlainText text={text} />
  return (
    <PlainOnError key={text} text={text}>
      <Formatted text={text} />
    </PlainOnError>
  )
}

/** Rendered by React from the tree, never as HTML: the content of a note can only be text. */
function Formatted({ text }: { text: string }) {
  const tree = useMemo(() => readMarkdown(text), [text])
  return (
    <div className={css.text} dir="auto">
      {drawAll(tree)}
    </div>
  )
}

const drawAll = ({ content = [] }: JSONContent): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tree is rendered again with every change
  content.map((node, index) => <Node key={index} of={node} />)

function Node({ of: node }: { of: JSONContent }): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p>{drawAll(node)}</p>
    case 'heading':
      return (
        <p className={css.heading} data-level={node.attrs?.level}>
          {drawAll(node)}
        </p>
      )
    case 'bulletList':
      return <ul>{drawAll(node)}</ul>
    case 'orderedList':
      return <ol start={Number(node.attrs?.start ?? 1)}>{drawAll(node)}</ol>
    case 'listItem':
      return <li>{drawAll(node)}</li>
    case 'taskList':
      return <ul className={css.checks}>{drawAll(node)}</ul>
    case 'taskItem':
      return (
        <li data-checked={node.attrs?.checked || undefined}>
          <input type="checkbox" checked={node.attrs?.checked === true} disabled aria-label="Done" />
          <div>{drawAll(node)}</div>
        </li>
      )
    case 'blockquote':
      return <blockquote>{drawAll(node)}</blockquote>
    case 'codeBlock':
      return (
        <pre>
          <code>{drawAll(node)}</code>
        </pre>
      )
    case 'horizontalRule':
      return <hr />
    case 'hardBreak':
      return <br />
    case 'mention':
      return <Mentioned id={String(node.attrs?.id)} name={String(node.attrs?.name)} />
    case 'text':
      return (node.marks ?? []).reduceRight<ReactNode>((inner, mark) => marked(mark, inner), node.text)
    default:
      return drawAll(node)
  }
}

/** By the name that the user has today, whatever the text calls them. */
function Mentioned({ id, name }: { id: string; name: string }) {
  const { data: known } = useQuery(knownUsersQuery)
  return <span className={css.mention}>@{known?.get(id)?.name ?? name}</span>
}

type Mark = NonNullable<JSONContent['marks']>[number]

function marked({ type, attrs }: Mark, inner: ReactNode): ReactNode {
  switch (type) {
    case 'bold':
      return <strong>{inner}</strong>
    case 'italic':
      return <em>{inner}</em>
    case 'strike':
      return <s>{inner}</s>
    case 'code':
      return <code>{inner}</code>
    case 'link':
      return isSafe(attrs?.href) ? (
        <a href={attrs.href} target="_blank" rel="noreferrer">
          {inner}
        </a>
      ) : (
        inner
      )
    default:
      return inner
  }
}

const isSafe = (href: unknown): href is string => typeof href === 'string' && /^(https?:\/\/|mailto:|tel:)/i.test(href)

// Notes are stored as Markdown.

/** Markdown has no underline. */
export const extensions = [
  Mention,
  StarterKit.configure({ underline: false, link: { openOnClick: false, defaultProtocol: 'https' } }),
  TaskList,
  TaskItem.configure({ nested: true }),
]

const manager = new MarkdownManager({ extensions })
const asText = () => undefined

// What the editor has no shape for stays as it was written, instead of getting lost: tables, definitions, pictures.
// HTML stays text too: a note may come from outside.
manager.instance.use({
  tokenizer: {
    html: asText,
    tag: asText,
    table: asText,
    def: asText,
    link: (source) => (source.startsWith('!') ? undefined : false),
  },
})

const readMarkdown = (text: string) => manager.parse(text)

/** A note as it is written, where it cannot be formatted. */
const PlainText = ({ text }: { text: string }) => (
  <div className={css.text} dir="auto">
    <p className={css.unformatted}>Shown as plain text: this note is too long or too complex to format.</p>
    <p className={css.written}>{text}</p>
  </div>
)

type Props = { text: string; children: ReactNode }

/** What fails in one note is shown as plain text, and the page around it stays. */
class PlainOnError extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
