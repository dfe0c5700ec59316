// Messages for errors in the text of a filter, with what to write instead.
import { type Fault, nearestNames, type Spot, shortened, suggesting } from './faults.ts'
import { isKeyword } from './keywords.ts'
import { mostMarks } from './limits.ts'
import { type Expectation, expectedAfter, isAfterQuietFor } from './syntax.ts'
import { type Op, operators } from './tree.ts'

// Finding out what may follow parses everything before it several times.
const longestExplained = 1000
const nothingKnown: Expectation = { has: () => false }

/** The text stops being valid at this offset. */
export function syntaxFault(text: string, offset: number): Fault {
  const found = /^(?:"[^"]*"|[=<>!~&|]+|[^\s()",]+|\S)/.exec(text.slice(offset))?.[0] ?? ''
  const before = text.slice(0, offset)
  const expected = before.length > longestExplained ? nothingKnown : expectedAfter(before)
  const isOperator = expected.has('operator') && !expected.has('for') && /^\w/.test(found)
  const nearest = isOperator ? nearestNames(found, operatorNames) : []
  const problem = found
    ? sentence(found, before, text.slice(offset), expected)
    : `The filter is incomplete.${expected === nothingKnown ? '' : ` Add ${wanted(expected, before)}.`}${toSearch(text, expected)}`
  return { at: { offset, length: found.length }, found: shortened(found), ...suggesting(problem, nearest) }
}

/** Someone who types a single word probably wants to search for it. */
const toSearch = (text: string, expected: Expectation) =>
  expected.has('operator') && /^[\p{L}\p{N}_-]+$/u.test(text.trim())
    ? ` To find a word anywhere in a record, use search("${shortened(text.trim())}").`
    : ''

// How other languages write these operators.
const joinsElsewhere = new Map([
  ['&&', 'and'],
  ['&', 'and'],
  ['||', 'or'],
  ['|', 'or'],
  ['!', 'not'],
])
const operatorsElsewhere = new Map([
  ['==', '='],
  ['===', '='],
  ['equals', '='],
  ['<>', '!='],
  ['!==', '!='],
  ['=<', '<='],
  ['=>', '>='],
  ['=~', '~'],
  ['contains', '~'],
  ['like', '~'],
  ['ilike', '~'],
])
const operatorNames = Object.values(operators).map(({ text }) => ({ key: text }))

function sentence(found: string, before: string, after: string, expected: Expectation) {
  if (found === '"') return 'This text has no closing quote. Add " at the end. For a quote inside the text, write \\".'
  if (found.startsWith("'")) return 'Use double quotes around text: "like this".'
  if (found.startsWith('`')) return 'The closing backtick is missing. Write a field name with spaces as `Lead score`.'
  if (found === ')' && !expected.has('close') && expected.has('and'))
    return 'This closing parenthesis has no opening one. Remove it.'
  const here = joinsElsewhere.get(found) ?? (expected.has('operator') && operatorsElsewhere.get(found.toLowerCase()))
  if (here) return `Write ${here} instead of ${found}.`
  if (/\d$/.test(before) && /^,\d/.test(after))
    return 'Write numbers without separators and with a decimal point: 10000, 12.5.'
  if (expected.has('field') && isKeyword(found))
    return `${found} is a keyword. Add ${wanted(expected, before)}, or write \`${found}\` if it is a field.`
  if (expected === nothingKnown) return `${shortened(found)} is not valid here.`
  const quotes = expected.has('or') && !/["`)]\s*$/.test(before) ? ' Put text with spaces in double quotes.' : ''
  return `Expected ${wanted(expected, before)}, but found ${shortened(found)}.${quotes}`
}

function wanted(expected: Expectation, before: string) {
  if (expected.has('value') && isAfterQuietFor(before)) return 'a length of time, such as 14d'
  if (expected.has('value')) return 'a value, such as open, 10000 or "Closed won"'
  if (expected.has('text')) return 'text in double quotes'
  if (expected.has('condition')) return 'a condition, such as status = active'
  if (expected.has('field')) return 'a field name'
  if (expected.has('for')) return '"for", as in quiet for 14d'
  if (expected.has('operator')) return 'an operator, such as =, in or is empty'
  if (expected.has('colon')) return 'a colon, as in any(deals: amount > 5000)'
  if (expected.has('with')) return '"with", as in starts with "A"'
  if (expected.has('empty')) return '"empty", as in is empty or is not empty'
  if (expected.has('in')) return '"in", as in not in (open, won)'
  if (expected.has('of')) return '"any", "all" or "none", as in has any (vip)'
  if (expected.has('comma')) return 'a comma or a closing parenthesis'
  if (expected.has('or')) return expected.has('close') ? '"and", "or" or a closing parenthesis' : '"and" or "or"'
  if (expected.has('and')) return '"and" with the second value, as in between 1 and 5'
  if (expected.has('open')) return 'an opening parenthesis'
  return 'the end of the filter'
}

export function unknownOperator(found: string, spot: Spot): Fault {
  const here = operatorsElsewhere.get(found)
  const message = `There is no operator ${shortened(found)}. Use ${here ?? '= != < <= > >= ~ or !~'}.`
  return { ...spot, found: shortened(found), message, nearest: here ? [here] : [] }
}

export function takesNoList(op: Op, found: string, spot: Spot): Fault {
  const instead = op === 'eq' ? 'in' : op === 'ne' ? 'not in' : 'several conditions joined by or'
  const message = `${operators[op].text} takes a single value. For a list, use ${instead}.`
  return { ...spot, found: shortened(found), message, nearest: [] }
}

export function needsQuotes(text: string, spot: Spot): Fault {
  const found = shortened(text)
  const other = insteadOf(text)
  const quoted = 'in straight double quotes'
  const message = other ? `${other} Put text ${quoted}.` : `Put ${found.replace(/^[“”„]|[“”„]$/g, '')} ${quoted}.`
  return { ...spot, found, message, nearest: [] }
}

/** What was most likely meant by an invalid word, in the syntax of the language. */
function insteadOf(text: string) {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  if (year) return `Write dates with the year first: ${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}.`
  if (/^[+-]?\.\d+$/.test(text))
    return `Write ${text.replace(/^\+/, '').replace('.', '0.')} with a digit before the point.`
  const amount = /^[\p{Sc}+]?(-?\d+(?:\.\d+)?[km]?)[\p{Sc}%]?$/iu.exec(text)?.[1]
  if (amount) return `Write the number alone: ${amount}.`
  if (/^[+-]\d/.test(text))
    return `${shortened(text)} is neither a number nor a relative time such as -14d. Use the units min, h, d, w, mo, q or y.`
  return undefined
}

export const durationSentence = 'Enter a length of time such as 14d, 3w or 6mo, without quotes.'

export function noDuration(found: string, spot: Spot): Fault {
  return { ...spot, found: shortened(found), message: durationSentence, nearest: [] }
}

export function numberTooLarge(found: string, spot: Spot): Fault {
  const message = `This number is too large. Use at most ${Number.MAX_SAFE_INTEGER}, or put it in quotes if it is text.`
  return { ...spot, found: shortened(found), message, nearest: [] }
}

export function strayEscape(found: string, spot: Spot): Fault {
  return { ...spot, found, message: 'Write \\\\ for a backslash. The other escapes are \\" \\n \\r \\t.', nearest: [] }
}

export const tooManyMarks = (text: string, offset: number): Fault => ({
  at: { offset, length: mostMarks + 1 },
  found: shortened(text.slice(offset, offset + mostMarks + 1)),
  message: marksSentence,
  nearest: [],
})
export const marksSentence = `At most ${mostMarks} accents can follow a letter. Remove some.`

export function unstorable(text: string): Fault {
  const offset = text.search(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  const message = 'Remove this character. It cannot be stored.'
  return { at: { offset, length: 1 }, found: JSON.stringify(text[offset]), message, nearest: [] }
}
