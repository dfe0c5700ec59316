import type { JSONContent } from '@tiptap/core'
import { type ReactNode, useMemo } from 'react'
import { readMarkdown } from './markdown.ts'
import { isFormattable } from './markdown-limits.ts'
import css from './notes.module.css'
import { PlainOnError, PlainText } from './plain-text.tsx'

export function MarkdownView({ text }: { text: string }) {
  if (!isFormattable(text)) return <PlainText text={text} />
  return (
    <PlainOnError key={text} text={text}>
      <Formatted text={text} />
    </PlainOnError>
  )
}

/** Drawn by React from the tree, never as HTML: what stands in a note can only be text. */
function Formatted({ text }: { text: string }) {
  const tree = useMemo(() => readMarkdown(text), [text])
  return (
    <div className={css.text} dir="auto">
      {drawAll(tree)}
    </div>
  )
}

const drawAll = ({ content = [] }: JSONContent): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tree is drawn anew with every change
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
    case 'text':
      return (node.marks ?? []).reduceRight<ReactNode>((inner, mark) => marked(mark, inner), node.text)
    default:
      return drawAll(node)
  }
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
