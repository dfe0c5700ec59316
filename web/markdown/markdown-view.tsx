import { useQuery } from '@tanstack/react-query'
import { Component, Fragment, type ReactNode, useMemo } from 'react'
import { isFormattable } from '../../contract/shared/formattable.ts'
import { knownUsersQuery } from '../users/users.ts'
import css from './notes.module.css'
import { type Block, type Inline, type Item, readMarkdown } from './read-markdown.ts'

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
  const blocks = useMemo(() => readMarkdown(text), [text])
  return (
    <div className={css.text} dir="auto">
      <Blocks of={blocks} />
    </div>
  )
}

const Blocks = ({ of: blocks }: { of: Block[] }) => each(blocks, (block) => <Drawn of={block} />)
const Pieces = ({ of: pieces }: { of: Inline[] }) => each(pieces, (piece) => <Piece of={piece} />)
const Items = ({ of: items }: { of: Item[] }) => each(items, (item) => <ListItem of={item} />)

const each = <T,>(all: T[], draw: (one: T) => ReactNode) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tree is rendered again with every change
  all.map((one, index) => <Fragment key={index}>{draw(one)}</Fragment>)

function Drawn({ of: block }: { of: Block }): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p>
          <Pieces of={block.content} />
        </p>
      )
    case 'heading':
      return (
        <p className={css.heading} data-level={block.level}>
          <Pieces of={block.content} />
        </p>
      )
    case 'bullets':
    case 'checks':
      return (
        <ul className={block.type === 'checks' ? css.checks : undefined}>
          <Items of={block.items} />
        </ul>
      )
    case 'numbers':
      return (
        <ol start={block.start}>
          <Items of={block.items} />
        </ol>
      )
    case 'quote':
      return (
        <blockquote>
          <Blocks of={block.content} />
        </blockquote>
      )
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'line':
      return <hr />
  }
}

const ListItem = ({ of: { isDone, content } }: { of: Item }) =>
  isDone === undefined ? (
    <li>
      <Blocks of={content} />
    </li>
  ) : (
    <li data-checked={isDone || undefined}>
      <input type="checkbox" checked={isDone} disabled aria-label="Done" />
      <div>
        <Blocks of={content} />
      </div>
    </li>
  )

function Piece({ of: piece }: { of: Inline }): ReactNode {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'break':
      return <br />
    case 'mention':
      return <Mentioned id={piece.id} name={piece.name} />
    case 'link':
      return (
        <Link href={piece.href}>
          <Pieces of={piece.content} />
        </Link>
      )
    default: {
      const Mark = ({ strong: 'strong', em: 'em', del: 's' } as const)[piece.type]
      return (
        <Mark>
          <Pieces of={piece.content} />
        </Mark>
      )
    }
  }
}

/** By the name that the user has today, whatever the text calls them. */
function Mentioned({ id, name }: { id: string; name: string }) {
  const { data: known } = useQuery(knownUsersQuery)
  return <span className={css.mention}>@{known?.get(id)?.name ?? name}</span>
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!isSafe(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

const isSafe = (href: string) => /^(https?:\/\/|mailto:|tel:)/i.test(href)

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
