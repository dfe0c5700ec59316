// Reads Markdown as the editor does, without the editor: the tree is drawn by markdown-view.tsx.
import { Marked, type Token, type TokenizerExtension, type Tokens } from 'marked'
import { mentionStart } from '../../contract/shared/mentions.ts'
import { plainCharacters } from '../../contract/shared/message-preview.ts'

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'mention'; id: string; name: string }
  | { type: 'strong' | 'em' | 'del'; content: Inline[] }
  | { type: 'link'; href: string; content: Inline[] }

export type Item = { isDone?: boolean; content: Block[] }
export type Block =
  | { type: 'paragraph'; content: Inline[] }
  | { type: 'heading'; level: number; content: Inline[] }
  | { type: 'bullets' | 'checks'; items: Item[] }
  | { type: 'numbers'; start: number; items: Item[] }
  | { type: 'quote'; content: Block[] }
  | { type: 'code'; text: string }
  | { type: 'line' }

/** Read before links, which it would be otherwise. */
const mention: TokenizerExtension = {
  name: 'mention',
  level: 'inline',
  start: (source) => source.indexOf('[@'),
  tokenizer(source) {
    const [raw, name, id] = mentionStart.exec(source) ?? []
    return raw ? { type: 'mention', raw, name, id } : undefined
  },
}

const asText = () => undefined

/**
 * What the editor has no shape for stays as it was written, instead of getting lost: tables, definitions, pictures. HTML
 * stays text too: a note may come from outside.
 */
export const createReader = () =>
  new Marked({
    extensions: [mention],
    tokenizer: {
      html: asText,
      tag: asText,
      table: asText,
      def: asText,
      link: (source) => (source.startsWith('!') ? undefined : false),
    },
  })

const reader = createReader()

export const readMarkdown = (text: string) => blocksOf(reader.lexer(text))

function blocksOf(tokens: Token[]): Block[] {
  return tokens.flatMap((token, index) => [...blockOf(token), ...(index < tokens.length - 1 ? blankLines(token) : [])])
}

/** One blank line separates paragraphs, and each pair more is one that was left empty. */
function blankLines({ raw }: Token): Block[] {
  const pairs = /\n[^\S\n]*(?:\n[^\S\n]*)+$/.exec(raw)?.[0].match(/\n\n/g)?.length ?? 0
  return Array.from({ length: Math.max(0, pairs - 1) }, () => ({ type: 'paragraph', content: [] }))
}

function blockOf(token: Token): Block[] {
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return []
    case 'heading':
      return [{ type: 'heading', level: token.depth, content: inlineOf(token.tokens) }]
    case 'list':
      return listsOf(token as Tokens.List)
    case 'blockquote':
      return [{ type: 'quote', content: blocksOf(token.tokens ?? []) }]
    case 'code':
      return [{ type: 'code', text: token.text }]
    case 'hr':
      return [{ type: 'line' }]
    default:
      return [{ type: 'paragraph', content: inlineOf('tokens' in token ? token.tokens : [token]) }]
  }
}

/** Items with a box and items without make lists of their own. */
function listsOf({ ordered, start, items }: Tokens.List): Block[] {
  if (ordered) return [{ type: 'numbers', start: Number(start), items: items.map(itemOf) }]
  const lists: (Block & { type: 'bullets' | 'checks' })[] = []
  for (const item of items) {
    const type = item.task ? 'checks' : 'bullets'
    if (lists.at(-1)?.type !== type) lists.push({ type, items: [] })
    lists.at(-1)!.items.push(itemOf(item))
  }
  return lists
}

const itemOf = ({ task, checked, tokens }: Tokens.ListItem): Item => ({
  ...(task && { isDone: checked === true }),
  content: blocksOf(tokens),
})

const inlineOf = (tokens: Token[] = []): Inline[] => tokens.map(pieceOf)

function pieceOf(token: Token): Inline {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return { type: token.type, content: inlineOf(token.tokens) }
    case 'link':
      return { type: 'link', href: token.href, content: inlineOf(token.tokens) }
    case 'mention':
      return { type: 'mention', id: String(token.id), name: String(token.name) }
    case 'codespan':
      return { type: 'code', text: token.text }
    case 'br':
      return { type: 'break' }
    case 'escape':
      return { type: 'text', text: token.text }
    default:
      return { type: 'text', text: withCharacters('text' in token ? String(token.text) : token.raw) }
  }
}

/** Each name or number of a character is read once: &amp;lt; means &lt;. */
const withCharacters = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|\w+);/gi, (found, decimal?: string, hex?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if (Number.isNaN(code)) return plainCharacters(found)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : found
  })
