import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { complete } from '../../contract/filter/index.ts'
import { runs, seed } from '../random.ts'
import { objects } from './company.ts'

const users = [{ name: 'Ada Lovelace', email: 'ada@acme.com' }]
/** `|` is the cursor. */
const at = (marked: string, root = 'people') => {
  const offset = marked.indexOf('|')
  return complete(marked.replace('|', ''), offset, { objects, root, users })
}
const labels = (marked: string, root?: string) => at(marked, root).options.map((option) => option.label)

describe('fields', () => {
  test('at the start, with the keywords that can start a condition', () => {
    expect(labels('|')).toEqual(
      expect.arrayContaining(['status', 'score', 'not', 'any', 'none', 'search', 'quiet for']),
    )
  })
  test('with a blank before a word that follows a sign', () => {
    expect(at('owner = "Ada"|').options).toContainEqual(expect.objectContaining({ label: 'and', apply: ' and ' }))
    expect(at('owner = "Ada" |').options).toContainEqual(expect.objectContaining({ label: 'and', apply: 'and ' }))
    expect(at('any(deals: status = won)|').options[0]).toMatchObject({ label: 'and', apply: ' and ' })
    expect(at('(|').options).toContainEqual(expect.objectContaining({ label: 'not', apply: 'not ' }))
  })
  test('half typed, by key and by label', () => {
    expect(labels('stat|')[0]).toBe('status')
    expect(labels('score > 5 and (lead|')).toEqual(['score'])
    expect(at('score > 5 and stat|').from).toBe(14)
  })
  test('of a related record', () => {
    expect(labels('organization.c|')).toContain('country')
    expect(labels('organization.parent.|')).toContain('annual_revenue')
    expect(labels('deals.|')).toEqual([])
    expect(labels('status.|')).toEqual([])
  })
  test('inside any and none', () => {
    expect(labels('any(|')).toEqual(['organization', 'deals', 'tasks'])
    expect(labels('any(deals: |')).toContain('amount')
    expect(labels('any(deals: status = won and amo|')).toEqual(['amount'])
    expect(labels('any(deals: status = won) and amo|')).toEqual([])
    expect(labels('any(deals: none(people: sco|')).toEqual(['score'])
    expect(labels('any(deals: organization.c|')).toContain('country')
  })
  test('named like a keyword in backticks', () => {
    expect(at('odd|').options).toMatchObject([{ label: 'in', apply: '`in`' }])
  })
  test('half typed in backticks', () => {
    expect(at('`Lead s|')).toMatchObject({ from: 0, options: [{ label: 'score', apply: 'score' }] })
  })
})

describe('operators', () => {
  test('that the field takes', () => {
    expect(labels('status |')).toEqual(['=', '!=', 'in', 'not in', 'is empty', 'is not empty'])
    expect(labels('tags h|')).toEqual(['has any', 'has all', 'has none'])
    expect(labels('any(deals: amount |')).toContain('between')
    expect(labels('do_not_contact |')).toEqual(['=', '!='])
  })
  test('quiet for a length of time', () => {
    expect(at('status = active and qu|').options).toMatchObject([{ label: 'quiet for', apply: 'quiet for ' }])
    expect(labels('quiet f|')).toEqual(['for'])
    expect(labels('any(deals: quiet for |')).toEqual(['7d', '14d', '30d', '3mo', '1y'])
    expect(labels('quiet for 14d a|')).toEqual(['and'])
  })
  test('in their later words', () => {
    expect(labels('first_name starts |')).toEqual(['with'])
    expect(labels('first_name is |')).toEqual(['empty', 'not empty'])
    expect(labels('tags has |')).toEqual(['any', 'all', 'none'])
    expect(labels('status not |')).toEqual(['in'])
  })
})

describe('values', () => {
  test('options, by key and by label', () => {
    expect(labels('stage = |', 'deals')).toEqual(['qualified', 'proposal', 'closed_won', 'closed_lost'])
    expect(at('stage = "closed l|', 'deals')).toMatchObject({
      from: 8,
      options: [{ label: 'closed_lost', detail: 'Closed lost', apply: 'closed_lost' }],
    })
    expect(labels('stage in (qualified, pro|', 'deals')).toEqual(['proposal'])
    expect(labels('any(deals: stage = q|')).toEqual(['qualified'])
  })
  test('that would mean something else are quoted', () => {
    expect(at('status = tr|').options).toMatchObject([{ label: 'true', apply: '"true"' }])
  })
  test('ranges and times', () => {
    expect(labels('birthday in this_|')).toEqual(['this_week', 'this_month', 'this_quarter', 'this_year'])
    expect(labels('birthday < |')).toContain('today')
  })
  test('users', () => {
    expect(at('owner = |').options).toMatchObject([{ apply: 'me' }, { label: 'Ada Lovelace', apply: '"ada@acme.com"' }])
    expect(labels('owner = "love|')).toEqual(['Ada Lovelace'])
  })
  test('me only if a user runs the filter', () => {
    const { options } = complete('owner = ', 8, { objects, root: 'people', users, hasCaller: false })
    expect(options.map((option) => option.label)).toEqual(['Ada Lovelace'])
  })
  test('true and false', () => expect(labels('do_not_contact = |')).toEqual(['true', 'false']))
})

test('what joins', () => {
  expect(labels('status = active |')).toEqual(['and', 'or'])
  expect(labels('(status = active |')).toEqual(['and', 'or', ')'])
  expect(labels('stage in (qualified |', 'deals')).toEqual([',', ')'])
  expect(labels('score between 1 |')).toEqual(['and'])
  expect(labels('any(deals |')).toEqual([':'])
  expect(labels('first_name = "a b" |')).toEqual(['and', 'or'])
})

test('what comes after the cursor does not matter', () => {
  expect(labels('stat| = active and score >')[0]).toBe('status')
})

test('no text and no cursor brings it down', () => {
  const piece = fc.constantFrom(
    'any(',
    'deals',
    ':',
    'status',
    '.',
    '=',
    ' in ',
    '(',
    ')',
    '"',
    '`',
    ' and ',
    'not ',
    '\\',
    'owner',
    '<',
    ',',
    ' ',
    'ä',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(60), (pieces, cursor) => {
      const text = pieces.join('')
      const { from, options } = complete(text, cursor, { objects, root: 'people', users })
      expect(from).toBeLessThanOrEqual(Math.min(cursor, text.length))
      expect(Array.isArray(options)).toBe(true)
    }),
    { seed, numRuns: runs(800) },
  )
})
