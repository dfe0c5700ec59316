// What is wrong with a text, word by word, and what to write instead.
import { didYouMean, type Fault, nearestNames, type Spot, shortened } from './faults.ts'
import { isKeyword } from './keywords.ts'
import { mostMarks } from './limits.ts'
import { type Expectation, expectedAfter, isAfterQuietFor } from './syntax.ts'
import { type Op, operators } from './tree.ts'

// To see what may follow takes some parses of all that stands before.
const longestExplained = 1000
const nothingKnown: Expectation = { has: () => false }

/** The text does not follow the grammar from here on. */
export function syntaxFault(text: string, offset: number): Fault {
  const found = /^(?:"[^"]*"|[=<>!~&|]+|[^\s()",]+|\S)/.exec(text.slice(offset))?.[0] ?? ''
  const before = text.slice(0, offset)
  const expected = before.length > longestExplained ? nothingKnown : expectedAfter(before)
  const isOperator = expected.has('operator') && !expected.has('for') && /^\w/.test(found)
  const nearest = isOperator ? nearestNames(found, operatorNames) : []
  const message = found
    ? sentence(found, before, text.slice(offset), expected) + didYouMean(nearest)
    : `The filter stops too early${expected === nothingKnown ? '' : `: ${wanted(expected, before)}`}.${toSearch(text, expected)}`
  return { at: { offset, length: found.length }, found: shortened(found), message, nearest }
}

/** Whoever types only a word looks for it. */
const toSearch = (text: string, expected: Expectation) =>
  expected.has('operator') && /^[\p{L}\p{N}_-]+$/u.test(text.trim())
    ? ` To look for a word in all of a record write search("${shortened(text.trim())}").`
    : ''

// How other languages write the same.
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
  if (found === '"') return 'This text has no closing quote. Add " at its end, and write \\" for a quote inside.'
  if (found.startsWith("'")) return 'Put texts in double quotes: "like this".'
  if (found.startsWith('`')) return 'Backticks go around the name of a field, as in `Lead score`, and must be closed.'
  if (found === ')' && !expected.has('close') && expected.has('and')) return 'This bracket closes nothing. Take it out.'
  const here = joinsElsewhere.get(found) ?? (expected.has('operator') && operatorsElsewhere.get(found.toLowerCase()))
  if (here) return `Write ${here} instead of ${found}.`
  if (/\d$/.test(before) && /^,\d/.test(after)) return 'Write numbers without separators and with a point: 10000, 12.5.'
  if (expected.has('field') && isKeyword(found))
    return `${found} is a word of the language: to name a field write \`${found}\`. Otherwise ${wanted(expected, before)}.`
  if (expected === nothingKnown) return `${shortened(found)} does not fit here.`
  const quotes = expected.has('or') && !/["`)]\s*$/.test(before) ? ' Texts with blanks go in double quotes.' : ''
  return `Found ${shortened(found)}, but ${wanted(expected, before)}.${quotes}`
}

function wanted(expected: Expectation, before: string) {
  if (expected.has('value') && isAfterQuietFor(before)) return 'a length of time belongs here, such as 14d'
  if (expected.has('value')) return 'a value belongs here, such as open, 10000 or "Closed won"'
  if (expected.has('text')) return 'a text in double quotes belongs here'
  if (expected.has('condition')) return 'a condition belongs here, such as status = active'
  if (expected.has('field')) return 'the name of a field belongs here'
  if (expected.has('for')) return 'for belongs here, as in quiet for 14d'
  if (expected.has('operator')) return 'an operator belongs here, such as =, in or is empty'
  if (expected.has('colon')) return 'a colon belongs here, as in any(deals: amount > 5000)'
  if (expected.has('with')) return 'with belongs here, as in starts with "A"'
  if (expected.has('empty')) return 'empty belongs here, as in is empty or is not empty'
  if (expected.has('in')) return 'in belongs here, as in not in (open, won)'
  if (expected.has('of')) return 'any, all or none belongs here, as in has any (vip)'
  if (expected.has('comma')) return 'a comma or a closing bracket belongs here'
  if (expected.has('or'))
    return `${expected.has('close') ? 'and, or, or a closing bracket' : '"and" or "or"'} belongs here`
  if (expected.has('and')) return 'the second value belongs here, as in between 1 and 5'
  if (expected.has('open')) return 'an opening bracket belongs here'
  return 'nothing fits here'
}

export function unknownOperator(found: string, spot: Spot): Fault {
  const here = operatorsElsewhere.get(found)
  const message = `There is no operator ${shortened(found)}. Use ${here ?? '= != < <= > >= ~ or !~'}.`
  return { ...spot, found: shortened(found), message, nearest: here ? [here] : [] }
}

export function takesNoList(op: Op, found: string, spot: Spot): Fault {
  const instead = op === 'eq' ? 'in' : op === 'ne' ? 'not in' : 'or between several conditions'
  const message = `${operators[op].text} takes one value. For a list use ${instead}.`
  return { ...spot, found: shortened(found), message, nearest: [] }
}

export function needsQuotes(text: string, spot: Spot): Fault {
  const found = shortened(text)
  const other = insteadOf(text)
  const quoted = 'in straight double quotes'
  const message = other ? `${other} A text goes ${quoted}.` : `Put ${found.replace(/^[“”„]|[“”„]$/g, '')} ${quoted}.`
  return { ...spot, found, message, nearest: [] }
}

/** What was most likely meant by a word that is none, as the language writes it. */
function insteadOf(text: string) {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  if (year) return `Write days with the year first: ${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}.`
  if (/^[+-]?\.\d+$/.test(text))
    return `Write ${text.replace(/^\+/, '').replace('.', '0.')} with a digit before the point.`
  const amount = /^[\p{Sc}+]?(-?\d+(?:\.\d+)?)[\p{Sc}%]?$/u.exec(text)?.[1]
  if (amount) return `Write the number alone: ${amount}.`
  if (/^[+-]\d/.test(text))
    return `${shortened(text)} is neither a number nor a time such as -14d. After the digits write min, h, d, w, mo, q or y.`
  return undefined
}

export const durationSentence = 'Write how long, such as 14d, 3w or 6mo, without quotes.'

export function noDuration(found: string, spot: Spot): Fault {
  return { ...spot, found: shortened(found), message: durationSentence, nearest: [] }
}

export function numberTooLarge(found: string, spot: Spot): Fault {
  const message = `This number is too large. Use at most ${Number.MAX_SAFE_INTEGER}, or quotes if it is a text.`
  return { ...spot, found: shortened(found), message, nearest: [] }
}

export function strayEscape(found: string, spot: Spot): Fault {
  return { ...spot, found, message: 'Write \\\\ for a backslash. The others are \\" \\n \\r \\t.', nearest: [] }
}

export const tooManyMarks = (text: string, offset: number): Fault => ({
  at: { offset, length: mostMarks + 1 },
  found: shortened(text.slice(offset, offset + mostMarks + 1)),
  message: marksSentence,
  nearest: [],
})
export const marksSentence = `At most ${mostMarks} accents may follow a letter. Leave out some.`

export function unstorable(text: string): Fault {
  const offset = text.search(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  const message = 'Leave out this character: it cannot be stored, so nothing can have it.'
  return { at: { offset, length: 1 }, found: JSON.stringify(text[offset]), message, nearest: [] }
}
