// Finds the line of a text from which on everything is quoted.
import EmailReplyParser from 'email-reply-parser'
import { type Known, knownLines } from './known-words.ts'

/** Null: nothing is quoted, or something of the author's own would be hidden. */
export function quoteLine(given: string[], earlier: string[]): number | null {
  const lines = given.map((line) => line.slice(0, 2000).trim())
  const known = knownLines(lines, earlier)
  const found = [quotedEnd(lines, known), headerBlock(lines, known), attributedEnd(lines, known)]
  const first = Math.min(...found.filter((line) => line !== null))
  const isAllQuoted = lines.slice(0, first).every((line) => !line)
  return Number.isFinite(first) && !isAllQuoted ? first : null
}

const isQuoted = (line: string) => /^[>|]/.test(line)

/** The lines at the end that begin with ">" or are in earlier messages. */
function quotedEnd(lines: string[], known: Known[]) {
  let top = lines.length
  while (top > 0 && isOld(lines[top - 1]!, known[top - 1]!)) top--
  // A known line above is the author's signature, unless a message begins with it.
  const first = lines.findIndex((line, index) => index >= top && (isQuoted(line) || known[index]!.isStart))
  return first < 0 ? null : attribution(lines, first)
}

const isOld = (line: string, { isKnown }: Known) => !line || isQuoted(line) || isKnown

/** "On Monday, Ada wrote:", in any language and on up to three lines. */
function attribution(lines: string[], quote: number) {
  let last = quote - 1
  while (last >= 0 && quote - last <= 2 && !lines[last]) last--
  const first = paragraphStart(lines, last)
  if (first === null) return quote
  const header = headerStart(lines, first, last)
  if (header !== null) return header
  const text = lines.slice(first, last + 1).join(' ')
  return last - first < 3 && isAttribution(text) ? withSeparator(lines, first) : quote
}

const isAttribution = (text: string) =>
  text.length <= 400 &&
  /[:：>]\s?[-*_]{0,12}$/.test(text) &&
  (text.includes('@') || (text.match(/\d+/g) ?? []).length > 2)

function paragraphStart(lines: string[], last: number) {
  if (last < 0 || !lines[last]) return null
  let first = last
  while (first > 0 && lines[first - 1] && last - first < 12) first--
  return first
}

const separator = /^(?:[-_=*]{5,200}|-{2,12}\s?[^-]{3,60}-{2,12})$/

/** Gmail and Thunderbird draw this above what they forward, which is what the message is about. */
export const isForwarded = (line: string) => /^-{8,12} \S[^-]{1,60} -{7,12}$/.test(line)

function withSeparator(lines: string[], line: number) {
  let above = line - 1
  while (above >= 0 && line - above <= 2 && !lines[above]) above--
  return separator.test(lines[above] ?? '') ? above : line
}

const sender =
  /^[*_]?(?:From|Von|De|Da|Fra|Från|Van|Od|Odesílatel|Lähettäjä|Feladó|Kimden|Gönderen|Expéditeur|Remitente|Mittente|Saatja|Nuo|No|Pošiljatelj|От|Від|Од|Από|发件人|發件人|寄件者|差出人|送信者|보낸\s?사람|מאת|من|จาก|Từ|Dari)[*_]?\s?[:：]/iu
const field = /^[*_]?[\p{L}][\p{L}\p{M}\s./-]{0,24}[*_]?\s?[:：]/u

/** "From: … Sent: … To: … Subject: …", as Outlook writes it above the message that it quotes in full. */
function headerBlock(lines: string[], known: Known[]) {
  for (const [line, text] of lines.entries()) {
    const isHeader = sender.test(text) || (separator.test(lines[line - 1] ?? '') && field.test(text))
    if (!isHeader || !isHeaders(lines.slice(line, line + 6))) continue
    const first = withSeparator(lines, line)
    // Our own answer names the same sender above the same words, so the fields would look like answers in between.
    const below = line + fieldsAt(lines.slice(line, line + 6)).length
    return isForwarded(lines[first]!) || hasAnswersFrom(lines, known, below) ? null : first
  }
  return null
}

function headerStart(lines: string[], first: number, last: number) {
  for (let line = first; line <= last - 2; line++)
    if (field.test(lines[line]!) && isHeaders(lines.slice(line, last + 1))) return withSeparator(lines, line)
  return null
}

function fieldsAt(lines: string[]) {
  const end = lines.findIndex((line) => !field.test(line))
  return end < 0 ? lines : lines.slice(0, end)
}

/** Three fields in a row, one of which has an address or a time. */
function isHeaders(lines: string[]) {
  const block = fieldsAt(lines.slice(0, 6))
  return block.length >= 3 && block.some((line) => /@|\d{1,2}[:.]\d{2}/.test(line))
}

/** "On Monday, Ada wrote:" in the languages of the parser, followed by text without marks. */
function attributedEnd(lines: string[], known: Known[]) {
  let tries = 0
  for (let last = 0; last < lines.length && tries < 40; last++) {
    const line = lines[last]!
    if (!/[:：-]$/.test(line)) continue
    for (let first = last; first >= Math.max(0, last - 2) && lines[first]; first--) {
      tries++
      const text = lines.slice(first, last + 1).join('\n')
      if (text.length > 400 || !isReplyHeader(text)) continue
      return hasAnswersFrom(lines, known, last + 1) ? null : withSeparator(lines, first)
    }
  }
  return null
}

/** The parser takes quadratic time for long texts, so it only sees one paragraph. */
const isReplyHeader = (text: string) =>
  new EmailReplyParser()
    .read(`x\n\n${text}\n\nx`)
    .getFragments()
    .some((fragment) => fragment.isQuoted())

/** Whether the author wrote between the lines of what is quoted. */
export const hasAnswers = (lines: string[], earlier: string[]) => hasAnswersFrom(lines, knownLines(lines, earlier), 0)

function hasAnswersFrom(lines: string[], known: Known[], from: number) {
  let hasQuote = false
  let before: Known['place'] = null
  let isBetween = false
  for (let line = from; line < lines.length; line++) {
    const text = lines[line]!
    if (isQuoted(text)) hasQuote = true
    else if (text && hasQuote && !known[line]!.isKnown) return true
    const { place } = known[line]!
    if (place) {
      const distance = before?.message === place.message ? place.word - before.word : 0
      if (isBetween && distance > 0 && distance < 40) return true
      before = place
      isBetween = false
    } else if (text && before) isBetween = true
  }
  return false
}
