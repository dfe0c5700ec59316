// What our users write, as plain text: for the text of an email, and for channels that know nothing else.
import { Marked, type Tokens } from 'marked'
import { isFormattable } from '../../../contract/shared/formattable.ts'
import { plainCharacters } from '../../../contract/shared/message-preview.ts'
import { plainAddresses } from './markdown.ts'

const marked = new Marked({ gfm: true, breaks: true })
const signatureMark = '\n\n-- \n'

/** `text` with its signature, as `compose` puts them together. */
export function plainMarkdown(text: string) {
  const end = text.lastIndexOf(signatureMark)
  if (end < 0) return plain(text)
  return `${plain(text.slice(0, end))}${signatureMark}${plain(text.slice(end + signatureMark.length))}`
}

function plain(markdown: string) {
  if (!isFormattable(markdown)) return markdown.trim()
  return blocks(marked.lexer(plainAddresses(markdown))).trim()
}

type Token = Tokens.Generic

const blocks = (tokens: Token[]): string =>
  tokens
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map(block)
    .join('\n\n')

function block(token: Token): string {
  if (token.type === 'list') return list(token as Tokens.List)
  if (token.type === 'blockquote') return blocks(token.tokens!).replace(/^/gm, '> ')
  if (token.type === 'code') return String(token.text)
  if (token.type === 'hr') return '---'
  if (token.type === 'table') return table(token as Tokens.Table)
  return token.tokens ? inline(token.tokens) : String(token.raw).trim()
}

const list = ({ ordered, start, items }: Tokens.List) =>
  items
    .map((item, i) => {
      const mark = ordered ? `${Number(start || 1) + i}. ` : '- '
      const inside = item.tokens.map((token) => (token.type === 'text' ? block(token) : blocks([token]))).join('\n')
      return mark + inside.replaceAll('\n', `\n${' '.repeat(mark.length)}`)
    })
    .join('\n')

const table = ({ header, rows }: Tokens.Table) =>
  [header, ...rows].map((row) => row.map((cell) => inline(cell.tokens)).join(' | ')).join('\n')

const inline = (tokens: Token[]): string => tokens.map(word).join('')

function word(token: Token): string {
  if (token.type === 'br') return '\n'
  if (token.type === 'link') return link(token as Tokens.Link)
  if (token.type === 'image' || token.type === 'html') return String(token.raw)
  if (token.type === 'codespan') return String(token.text)
  return token.tokens ? inline(token.tokens) : plainCharacters(String(token.text ?? token.raw))
}

function link({ tokens, href }: Tokens.Link) {
  const text = inline(tokens)
  const to = plainCharacters(href)
  return [to, to.replace(/^mailto:/, ''), to.replace(/^http:\/\//, '')].includes(text) ? text : `${text} (${to})`
}
