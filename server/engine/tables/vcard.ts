// Contact cards of version 2.1, 3 and 4, one or many in a file. Each becomes a row; pictures and sounds are left out.
import { mostRows } from '../../../contract/shared/limits.ts'
import { decodeText } from './decode-text.ts'
import { collectRows, refuse, type Table } from './table.ts'

type Property = { name: string; params: Map<string, string[]>; value: string }
type Card = { line: number; properties: Property[] }

/** The names are those that people know from exports, so that columns find their fields. */
const columns = [
  'First name',
  'Last name',
  'Full name',
  'Emails',
  'Phones',
  'Organization',
  'Job title',
  'Street',
  'City',
  'Region',
  'Postal code',
  'Country',
  'Website',
  'Birthday',
  'Tags',
  'Notes',
] as const
type Column = (typeof columns)[number]

export function readCards(content: Uint8Array): Table {
  const text = decodeText(content)
  // Read twice, so that only columns with content become part of the table.
  const used = new Set<string>()
  let count = 0
  for (const { properties } of cardsIn(text)) {
    if (++count > mostRows)
      refuse(`It has more than ${mostRows.toLocaleString('en')} cards. Split it into several files`)
    for (const column of Object.keys(valuesOf(properties))) used.add(column)
  }
  if (!used.size) refuse('It has no contact cards')
  const shown = columns.filter((column) => used.has(column))
  const rows = collectRows()
  rows.add({ line: 1, cells: shown })
  for (const { line, properties } of cardsIn(text)) {
    const values = valuesOf(properties)
    rows.add({ line, cells: shown.map((column) => values[column] ?? null) })
  }
  return { rows: rows.bytes(), sheets: [], sheet: null }
}

function* cardsIn(text: string): Generator<Card> {
  let card: Card | undefined
  /** Cards of assistants and agents inside of a card are not cards of their own. */
  let depth = 0
  let before = ''
  for (const { line, text: one } of unfolded(text)) {
    const property = propertyIn(one)
    if (!property) {
      // Some programs write the second line of a note as it is.
      const last = depth ? undefined : card?.properties.at(-1)
      if (last?.name === 'NOTE' && one.trim()) last.value += `\n${one}`
      continue
    }
    const value = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN' && value === 'VCARD') {
      if (card && !depth && before !== 'AGENT') refuse(`The card at line ${card.line} has no end`)
      if (card) depth++
      else card = { line, properties: [] }
    } else if (property.name === 'END' && value === 'VCARD' && card) {
      if (depth) depth--
      else {
        yield card
        card = undefined
      }
    } else if (card && !depth) card.properties.push(property)
    before = property.name
  }
  if (card) refuse(`The card at line ${card.line} has no end`)
}

/** Lines that begin with a space continue the one before; in version 2.1, so do those after a line that ends with =. */
function* unfolded(text: string): Generator<{ line: number; text: string }> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  for (let i = 0; i < lines.length; ) {
    const line = i + 1
    const parts = [lines[i++]!]
    const isQuoted = /;(ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(parts[0]!)
    for (; i < lines.length; i++) {
      const next = lines[i]!
      if (isQuoted && parts.at(-1)!.endsWith('=')) parts.push(`\n${next}`)
      else if (/^[ \t]/.test(next)) parts.push(next.slice(1))
      else break
    }
    yield { line, text: parts.join('') }
  }
}

function propertyIn(line: string): Property | undefined {
  const colon = valueStart(line)
  if (colon < 0) return undefined
  const [head = '', ...given] = splitOutsideQuotes(line.slice(0, colon))
  const params = new Map<string, string[]>()
  for (const param of given) {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(param) ?? []
    // In version 2.1, a value needs no name.
    const key = name?.toUpperCase() ?? (/^(quoted-printable|base64|b|8bit|7bit)$/i.test(param) ? 'ENCODING' : 'TYPE')
    const values = (value ?? param).split(',').map((one) => one.replace(/^"|"$/g, ''))
    const known = params.get(key)
    if (known) known.push(...values)
    else params.set(key, values)
  }
  const value = line.slice(colon + 1)
  const name = head.slice(head.lastIndexOf('.') + 1).toUpperCase()
  const encoding = params.get('ENCODING')?.[0]?.toUpperCase()
  return { name, params, value: encoding === 'QUOTED-PRINTABLE' ? unquoted(value, params.get('CHARSET')?.[0]) : value }
}

function splitOutsideQuotes(text: string) {
  const parts = ['']
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character === ';' && !isQuoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

/** The first colon outside of quotes. */
function valueStart(line: string) {
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') isQuoted = !isQuoted
    if (line[i] === ':' && !isQuoted) return i
  }
  return -1
}

function unquoted(text: string, charset = 'utf-8') {
  const joined = text.replace(/=\n/g, '')
  const bytes = Buffer.from(
    joined.replace(/=([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    [...joined].some((character) => character > '\xff') ? 'utf8' : 'latin1',
  )
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // No such character set.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Parts of a value, such as those of a name. */
const partsOf = (value: string, separator: ';' | ',') => {
  const parts = ['']
  for (let i = 0; i < value.length; i++) {
    const character = value[i]!
    if (character === '\\' && i + 1 < value.length) {
      const next = value[++i]!
      parts[parts.length - 1] += next === 'n' || next === 'N' ? '\n' : next
    } else if (character === separator) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}
const textOf = (value: string) => partsOf(value, '\0' as never)[0]!

function valuesOf(properties: Property[]): Partial<Record<Column, string>> {
  const all = (name: string) => properties.filter((one) => one.name === name)
  const texts = (name: string) =>
    all(name)
      .map(({ value }) => textOf(value))
      .filter(Boolean)
  const list = (items: string[]) => [...new Set(items)].join('\n') || undefined
  const [family = '', given = '', middle = ''] = partsOf(all('N')[0]?.value ?? '', ';')
  const [, , street = '', city = '', region = '', postal = '', country = ''] = partsOf(
    preferred(all('ADR'))?.value ?? '',
    ';',
  )
  const organization = partsOf(all('ORG')[0]?.value ?? '', ';')[0]
  const fullName = texts('FN')[0]
  const isCompany = !family && !given && Boolean(organization) && (!fullName || fullName === organization)
  const plainUri = (value: string) => value.replace(/^(tel|mailto):/i, '').replace(/;ext=/i, ' x')
  const values: Record<Column, string | undefined> = {
    'First name': [given, middle].filter(Boolean).join(' '),
    'Last name': family,
    'Full name': family || given || isCompany ? '' : fullName,
    Emails: list(texts('EMAIL').map(plainUri)),
    Phones: list(
      all('TEL')
        .filter(({ params }) => !params.get('TYPE')?.some((type) => /^(fax|pager)$/i.test(type)))
        .map(({ value }) => plainUri(textOf(value))),
    ),
    Organization: organization,
    'Job title': texts('TITLE')[0] ?? texts('ROLE')[0],
    Street: street,
    City: city,
    Region: region,
    'Postal code': postal,
    Country: country,
    Website: texts('URL')[0],
    Birthday: birthdayOf(all('BDAY')[0]),
    Tags: list(all('CATEGORIES').flatMap(({ value }) => partsOf(value, ',').filter(Boolean))),
    Notes: texts('NOTE').join('\n\n'),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}

/** The preferred one of several, or the first. */
const preferred = (list: Property[]) =>
  list.find(({ params }) => params.has('PREF') || params.get('TYPE')?.some((type) => /^pref$/i.test(type))) ?? list[0]

/** Without a year it is no date, which the import reports. Phones of Apple write a year that does not count. */
function birthdayOf(property: Property | undefined) {
  const text = textOf(property?.value ?? '')
  const [, year, month, day] = /^(\d{4}|--)-?(\d{2})-?(\d{2})/.exec(text) ?? []
  if (!year) return undefined
  const isOmitted = year === '--' || property?.params.get('X-APPLE-OMIT-YEAR')?.includes(year)
  return isOmitted ? `--${month}-${day}` : `${year}-${month}-${day}`
}
