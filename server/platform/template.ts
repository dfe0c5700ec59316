// Texts with values in {{ }}. There is nothing else in them: no conditions, no functions.
import { nearestNames } from '../../contract/filter/index.ts'
import type { contentTypes } from '../../contract/lead-destinations.ts'
import { own } from '../../contract/shared/own.ts'

export type Context = (typeof contentTypes)[number] | 'url' | 'line'
/** A value as it is stored, and as people read it. */
export type TemplateValue = { raw: unknown; text: string }
export type TemplateValues = Record<string, TemplateValue>

type Piece = string | { name: string; isQuoted: boolean }
const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g

/** `isQuoted`: inside of a string of JSON. */
function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = []
  let [from, isQuoted] = [0, false]
  for (const match of template.matchAll(pattern)) {
    const before = template.slice(from, match.index)
    isQuoted = endsInString(before, isQuoted)
    pieces.push(before, { name: match[1]!, isQuoted })
    from = match.index + match[0].length
  }
  return [...pieces, template.slice(from)]
}

function endsInString(text: string, isQuoted: boolean) {
  let isInside = isQuoted
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && isInside) i++
    else if (text[i] === '"') isInside = !isInside
  }
  return isInside
}

export const namesIn = (template: string) =>
  piecesOf(template).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]))

/** Says which variable has no value, if there is one. `what`: what each should be. */
export function unknownIn(template: string, known: string[], what: string): string | undefined {
  const unknown = namesIn(template).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const [near] = nearestNames(
    unknown,
    known.map((key) => ({ key })),
  )
  return `{{ ${unknown} }} is not ${what}${near ? `. Did you mean {{ ${near} }}?` : ''}`
}

/** What is wrong with a template, or undefined. */
export function templateFault(template: string, context: Context, known: string[]): string | undefined {
  const unknown = unknownIn(template, known, 'a field of leads')
  if (unknown) return unknown
  if (/\{\{|\}\}/.test(template.replace(pattern, ''))) return 'Unmatched braces. Write values as {{ email }}'
  if (context !== 'json' || !template.trim()) return undefined
  try {
    JSON.parse(render(template, 'json', Object.fromEntries(known.map((name) => [name, { raw: 'x', text: 'x' }]))))
    return undefined
  } catch (error) {
    return `This is not valid JSON. ${(error as Error).message}`
  }
}

export const render = (template: string, context: Context, values: TemplateValues) =>
  piecesOf(template)
    .map((piece) => (typeof piece === 'string' ? piece : escaped(own(values, piece.name), context, piece.isQuoted)))
    .join('')

function escaped(value: TemplateValue | undefined, context: Context, isQuoted: boolean): string {
  const text = value?.text ?? ''
  switch (context) {
    case 'json':
      return isQuoted ? JSON.stringify(text).slice(1, -1) : JSON.stringify(value?.raw ?? null)
    case 'form':
    case 'url':
      return encodeURIComponent(text.toWellFormed())
    case 'xml':
      return text
        .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
        .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
    case 'line':
      return text.replace(/\p{Cc}+/gu, ' ')
    case 'text':
      return text
  }
}
