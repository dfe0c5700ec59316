// What is wrong with a text, word by word, and what to write instead.
import { didYouMean, type Fault, nearestNames, type Spot, shortened } from './faults.ts'
import { isKeyword } from './keywords.ts'
import { type Expectation, expectedAfter } from './syntax.ts'
import { type Op, operators } from './tree.ts'

/** The text does not follow the grammar from here on. */
export function syntaxFault(text: string, offset: number): Fault {
  const found = /^(?:"[^"]*"|[=<>!~&|]+|[^\s()",]+|\S)/.exec(text.slice(offset))?.[0] ?? ''
  const before = text.slice(0, offset)
  const expected = expectedAfter(before)
  const nearest = expected.has('operator') && /^\w/.test(found) ? nearestNames(found, operatorNames) : []
  const message = found
    ? sentence(found, before, text.slice(offset), expected) + didYouMean(nearest)
    : `The filter stops too early: ${wanted(expected)}.${toSearch(text, expected)}`
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
    return `${found} is a word of the language: to name a field write \`${found}\`. Otherwise ${wanted(expected)}.`
  const quotes = expected.has('or') && !/["`)]\s*$/.test(before) ? ' Texts with blanks go in double quotes.' : ''
  return `Found ${shortened(found)}, but ${wanted(expected)}.${quotes}`
}

function wanted(expected: Expectation) {
  if (expected.has('value')) return 'a value belongs here, such as open, 10000 or "Closed won"'
  if (expected.has('text')) return 'a text in double quotes belongs here'
  if (expected.has('condition')) return 'a condition belongs here, such as status = active'
  if (expected.has('field')) return 'the name of a field belongs here'
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
  const message = /^[+-]\d/.test(text)
    ? `${found} is neither a number nor a moment such as -14d. After the digits write min, h, d, w, mo, q or y.`
    : `Put ${found.replace(/^[“”„]|[“”„]$/g, '')} in straight double quotes.`
  return { ...spot, found, message, nearest: [] }
}

export function numberTooLarge(found: string, spot: Spot): Fault {
  const message = `This number is too large. Use at most ${Number.MAX_SAFE_INTEGER}, or quotes if it is a text.`
  return { ...spot, found: shortened(found), message, nearest: [] }
}

export function strayEscape(found: string, spot: Spot): Fault {
  return { ...spot, found, message: 'Write \\\\ for a backslash. The others are \\" \\n \\r \\t.', nearest: [] }
}

export function unstorable(text: string): Fault {
  const offset = text.search(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  const message = 'Leave out this character: it cannot be stored, so nothing can have it.'
  return { at: { offset, length: 1 }, found: JSON.stringify(text[offset]), message, nearest: [] }
}
