// The rules that settle the doubtful cases, each with its own test.
import { describe, expect, test } from 'vitest'
import { asSearch, print, readFilter } from '../../contract/filter/index.ts'
import { objects } from './company.ts'
import { faultOf, fits, here, read, testOf, treeOf } from './given.ts'

describe('reading', () => {
  test('not applies only to the next condition', () => {
    expect(treeOf('not score = 1 and score = 2')).toEqual({
      and: [{ not: { field: 'score', op: 'eq', value: 1 } }, { field: 'score', op: 'eq', value: 2 }],
    })
  })

  test('and binds more tightly than or', () => {
    const [a, b, c] = [1, 2, 3].map((value) => ({ field: 'score', op: 'eq', value }))
    expect(treeOf('score = 1 or score = 2 and score = 3')).toEqual({ or: [a, { and: [b, c] }] })
    expect(treeOf('score = 1 and score = 2 or score = 3')).toEqual({ or: [{ and: [a, b] }, c] })
  })

  test('keywords, me, ranges and units are case-insensitive', () => {
    const loud = 'NOT (Owner = ME) AND birthday IN This_Week OR tags Has Any (vip) AND last_activity_at < -14D'
    expect(print(treeOf(loud))).toBe(
      'not owner = me and birthday in this_week or tags has any (vip) and last_activity_at < -14d',
    )
  })

  test('spaces and line breaks are ignored', () => {
    expect(treeOf('score=1\n\tand\u00a0status   not \u0085\u3000 in(active,former)')).toEqual(
      treeOf('score = 1 and status not in (active, former)'),
    )
  })

  test('a field whose key is a keyword is written in backticks', () => {
    expect(print(treeOf('`in` = "x y"'))).toBe('`in` = "x y"')
    expect(treeOf('`in` in (a)')).toEqual({ field: 'in', op: 'in', value: ['a'] })
    expect(faultOf('in = a')).toMatchObject({ at: 'in', message: expect.stringContaining('`in`') })
  })

  test('a field can be named by its label, and its key is stored', () => {
    expect(treeOf('`Lead score` > 5')).toEqual({ field: 'score', op: 'gt', value: 5 })
    expect(treeOf('`lead SCORE` > 5 and Birthday is empty')).toEqual(treeOf('score > 5 and birthday is empty'))
  })

  test('quotes, backslashes and line breaks in a string are escaped', () => {
    const value = 'a "b" \\ c\nd\te'
    const text = 'first_name = "a \\"b\\" \\\\ c\\nd\\te"'
    expect(treeOf(text)).toEqual({ field: 'first_name', op: 'eq', value })
    expect(print(treeOf(text))).toBe(text)
  })
})

describe('the field decides what a bare word means', () => {
  test('an option of a select, even if it looks like something else', () => {
    for (const value of ['me', '2026', 'true'])
      expect(treeOf(`status = ${value}`)).toEqual({ field: 'status', op: 'eq', value })
    expect(treeOf('status in (true, "true")')).toEqual({ field: 'status', op: 'in', value: ['true', 'true'] })
  })

  test('status = empty looks for an option, and suggests is empty', () => {
    const fault = faultOf('status = empty')
    expect(fault).toMatchObject({ at: 'empty', found: 'empty' })
    expect(fault.message).toContain('status is empty')
    expect(treeOf('status is empty')).toEqual({ field: 'status', op: 'is_empty' })
  })

  test('an option by its key, or by its label', () => {
    const won = { field: 'stage', op: 'eq', value: 'closed_won' }
    expect(treeOf('stage = closed_won', 'deals')).toEqual(won)
    expect(treeOf('stage = "Closed won"', 'deals')).toEqual(won)
    expect(treeOf('stage = "closed WON"', 'deals')).toEqual(won)
    expect(faultOf('stage = Closed won', 'deals')).toMatchObject({
      at: 'won',
      message: expect.stringContaining('double quotes'),
    })
  })

  test('me is the caller for users, plain text for texts', () => {
    expect(treeOf('owner = me')).toEqual({ field: 'owner', op: 'eq', value: { me: true } })
    expect(treeOf('owner = "me"')).toEqual({ field: 'owner', op: 'eq', value: 'me' })
    expect(treeOf('first_name = me')).toEqual({ field: 'first_name', op: 'eq', value: 'me' })
    expect(print(treeOf('first_name = me'))).toBe('first_name = "me"')
  })

  test('text needs quotes unless it is one plain word', () => {
    for (const word of ['Acme', 'München', '007', '2026', 'this_week', 'true', 'a-b/c', '2026-01-01'])
      expect(treeOf(`first_name = ${word}`)).toEqual({ field: 'first_name', op: 'eq', value: word })
    expect(faultOf('first_name = 12.5')).toMatchObject({ at: '12.5', message: expect.stringContaining('quotes') })
    expect(faultOf('first_name = -14d')).toMatchObject({ at: '-14d', message: expect.stringContaining('quotes') })
    expect(faultOf('emails = ada@acme.com')).toMatchObject({
      at: 'ada@acme.com',
      message: 'Put ada@acme.com in straight double quotes.',
    })
    expect(faultOf('first_name = Ada Lovelace')).toMatchObject({
      at: 'Lovelace',
      message: expect.stringContaining('double quotes'),
    })
  })

  test('dates know now, today and ranges; in quotes they do not', () => {
    expect(treeOf('last_activity_at < now')).toEqual({
      field: 'last_activity_at',
      op: 'lt',
      value: { relative: 'now' },
    })
    expect(treeOf('birthday = today')).toEqual({ field: 'birthday', op: 'eq', value: { range: 'today' } })
    expect(faultOf('birthday = "today"')).toMatchObject({
      at: '"today"',
      nearest: ['today'],
    })
  })

  test('booleans are true or false without quotes', () => {
    expect(treeOf('do_not_contact = TRUE')).toEqual({ field: 'do_not_contact', op: 'eq', value: true })
    expect(faultOf('do_not_contact = "true"')).toMatchObject({ at: '"true"', nearest: ['true', 'false'] })
  })
})

test('numbers have no separators and no quotes', () => {
  expect(treeOf('score in (10000, 12.5, -3)')).toEqual({ field: 'score', op: 'in', value: [10000, 12.5, -3] })
  expect(treeOf('score = -0')).toEqual({ field: 'score', op: 'eq', value: 0 })
  expect(faultOf('score = 10,000').message).toContain('without separators')
  expect(faultOf('score = "10000"').message).toContain('without quotes')
  expect(faultOf('score = 9007199254740993').message).toContain('too large')
})

describe('a bare date on a datetime field is that whole day in the caller’s zone', () => {
  const day = { gte: '2026-06-14T22:00:00.000Z', lt: '2026-06-15T22:00:00.000Z' }
  test.each([
    ['=', { gte: day.gte, lt: day.lt }],
    ['!=', { gte: day.gte, lt: day.lt }],
    ['<', { lt: day.gte }],
    ['<=', { lt: day.lt }],
    ['>', { gte: day.lt }],
    ['>=', { gte: day.gte }],
  ])('%s', (op, interval) => {
    expect(testOf(`created_at ${op} 2026-06-15`)).toEqual({ kind: 'within', intervals: [interval] })
  })

  test('between includes both days', () => {
    const interval = { gte: '2026-06-13T22:00:00.000Z', lt: '2026-06-15T22:00:00.000Z' }
    expect(testOf('created_at between 2026-06-14 and 2026-06-15')).toEqual({ kind: 'within', intervals: [interval] })
  })

  test('a time is exact; without an offset it is in the caller’s time zone', () => {
    const exact = { kind: 'oneOf', values: ['2026-06-15T07:30:00.000Z'] }
    expect(testOf('created_at = 2026-06-15T09:30')).toEqual(exact)
    expect(testOf('created_at = 2026-06-15T07:30:00Z')).toEqual(exact)
    expect(testOf('created_at = 2026-06-15T13:00:00.000+05:30')).toEqual(exact)
    expect(testOf('created_at <= 2026-06-15T09:30')).toEqual({ kind: 'within', intervals: [{ lte: exact.values[0] }] })
  })

  test('today and a day in a list mean the same', () => {
    const today = { gte: '2026-06-16T22:00:00.000Z', lt: '2026-06-17T22:00:00.000Z' }
    for (const text of [
      'created_at = today',
      'created_at in today',
      'created_at in (today)',
      'created_at in (2026-06-17)',
    ])
      expect(testOf(text)).toEqual({ kind: 'within', intervals: [today] })
  })
})

describe('dates on date fields are days', () => {
  test.each([
    ['birthday = 2026-06-15', { kind: 'oneOf', values: ['2026-06-15'] }],
    ['birthday < 2026-06-15', { kind: 'within', intervals: [{ lt: '2026-06-15' }] }],
    ['birthday <= today', { kind: 'within', intervals: [{ lte: '2026-06-17' }] }],
    ['birthday > -14d', { kind: 'within', intervals: [{ gt: '2026-06-03' }] }],
    ['birthday = now', { kind: 'oneOf', values: ['2026-06-17'] }],
    [
      'birthday between 2026-06-01 and 2026-06-15',
      { kind: 'within', intervals: [{ gte: '2026-06-01', lte: '2026-06-15' }] },
    ],
    [
      'birthday in (this_month, 2026-01-01)',
      {
        kind: 'within',
        intervals: [
          { gte: '2026-06-01', lte: '2026-06-30' },
          { gte: '2026-01-01', lte: '2026-01-01' },
        ],
      },
    ],
  ])('%s', (text, expected) => expect(testOf(text)).toEqual(expected))

  test('a time of day is an error', () => {
    expect(faultOf('birthday = 2026-06-15T09:30').message).toContain('2026-06-15.')
  })
})

test('named ranges are used only with in and not in, alone or in a list', () => {
  expect(treeOf('birthday in this_week')).toEqual(treeOf('birthday in (this_week)'))
  expect(print(treeOf('birthday not in (this_week)'))).toBe('birthday not in this_week')
  expect(print(treeOf('birthday in (this_week, next_week)'))).toBe('birthday in (this_week, next_week)')
  expect(faultOf('birthday = this_week')).toMatchObject({
    at: 'this_week',
    message: expect.stringContaining('birthday in this_week'),
  })
  expect(faultOf('birthday between this_week and today')).toMatchObject({ at: 'this_week' })
})

describe('paths', () => {
  test('a dot follows relations to one record, at most three steps', () => {
    expect(read('organization.parent.name = x').checked).toMatchObject({
      path: [{ objects: ['people'] }, { objects: ['organizations'] }, { objects: ['organizations'] }],
    })
    expect(faultOf('organization.parent.parent.name = x')).toMatchObject({
      at: 'name',
      message: expect.stringContaining('at most 3 steps'),
    })
  })

  test('a dot through a relation to many is an error that suggests any', () => {
    const fault = faultOf('deals.amount > 5')
    expect(fault).toMatchObject({ at: 'deals', offset: 0 })
    expect(fault.message).toContain('any(deals: amount')
    expect(faultOf('organization.people.score > 5')).toMatchObject({ at: 'people' })
  })

  test('any and none follow relations to many or one, also at the end of a path', () => {
    expect(treeOf('any(organization.people: score > 5)')).toEqual({
      any: 'organization.people',
      where: { field: 'score', op: 'gt', value: 5 },
    })
    expect(treeOf('none(organization: country = DE)')).toMatchObject({ none: 'organization' })
    expect(treeOf('any(deals: none(people: score > 5))')).toMatchObject({ any: 'deals', where: { none: 'people' } })
    expect(faultOf('any(status: score > 5)')).toMatchObject({ at: 'status', operators: expect.arrayContaining(['eq']) })
  })

  test('through a relation to any object, only fields that all objects share can be used', () => {
    expect(treeOf('any(about: title ~ acme)', 'tasks')).toMatchObject({ any: 'about' })
    expect(faultOf('any(about: score > 5)', 'tasks')).toMatchObject({
      at: 'score',
      message: expect.stringContaining('share'),
    })
  })
})

describe('a condition is true or false, never unknown', () => {
  const nothing = {}
  test.each([
    'status != active',
    'status not in (active)',
    'first_name !~ a',
    'score != 5',
    'birthday not in this_year',
    'tags has none (vip)',
    'status is empty',
    'do_not_contact != true',
  ])('%s is true for empty values', (text) => expect(fits(text, nothing)).toBe(true))
  test.each([
    'status = active',
    'status in (active)',
    'first_name ~ a',
    'score < 5',
    'score <= 5',
    'score > 5',
    'score >= 5',
    'score between 0 and 9',
    'birthday in this_year',
    'tags has any (vip)',
    'tags has all (vip)',
    'status is not empty',
    'do_not_contact = false',
  ])('%s is false for empty values', (text) => expect(fits(text, nothing)).toBe(false))

  test('one of several values must match, and for != none may', () => {
    const values = { emails: ['ada@acme.com', 'ada@home.org'] }
    expect(fits('emails ends with "@ACME.com"', values)).toBe(true)
    expect(fits('emails = "ada@home.org"', values)).toBe(true)
    expect(fits('emails != "ada@home.org"', values)).toBe(false)
    expect(fits('emails !~ acme', values)).toBe(false)
  })

  test('money without a rate is not empty, but matches no comparison', () => {
    const values = { amount: null }
    expect(fits('amount is empty', values, 'deals')).toBe(false)
    expect(fits('amount > 0 or amount <= 0', values, 'deals')).toBe(false)
    expect(fits('amount != 5', values, 'deals')).toBe(true)
  })
})

describe('me', () => {
  test('is the current user', () => expect(fits('owner = me', { owner: here.me! })).toBe(true))

  test('is an error without a user', () => {
    expect(faultOf('score > 5 and owner = me', 'people', false)).toMatchObject({
      at: 'me',
      message: expect.stringContaining('no user runs this filter'),
    })
  })

  test('does not name a record', () => {
    expect(faultOf('organization = me')).toMatchObject({ at: 'me', message: expect.stringContaining('hold users') })
  })
})

test('in JSON, a plain string is a plain value and a tag is not text', () => {
  expect(treeOf({ field: 'first_name', op: 'eq', value: 'me' })).toEqual({ field: 'first_name', op: 'eq', value: 'me' })
  expect(() => read({ field: 'first_name', op: 'eq', value: { me: true } })).toThrow('holds text')
  expect(() => read({ field: 'birthday', op: 'eq', value: 'today' })).toThrow('today is not a valid date')
  expect(() => read({ field: 'first_name', op: 'eq', value: 12 })).toThrow('text in quotes')
  expect(() => read({ field: 'Birthday', op: 'is_empty' })).toThrow('no field Birthday')
})

test('k and m after a number mean thousand and million, for numbers only', () => {
  expect(treeOf('score > 10k')).toEqual({ field: 'score', op: 'gt', value: 10_000 })
  expect(treeOf('score between -1.5K and 1.005m')).toMatchObject({ value: [-1500, 1_005_000] })
  expect(treeOf('score in (1k, 2k)')).toMatchObject({ value: [1000, 2000] })
  expect(treeOf('first_name = 10k')).toMatchObject({ value: '10k' })
  expect(treeOf('first_name = 1.5m')).toMatchObject({ value: '1.5m' })
  expect(faultOf('score > "10k"').message).toContain('without quotes')
  expect(faultOf('score > 10x').message).toContain('such as 10000, 12.5 or 10k')
  expect(faultOf('score > 9007199254740991k').message).toContain('too large')
  expect(() => read({ field: 'score', op: 'gt', value: '10k' })).toThrow('without quotes')
})

test('words that are no filter mean a search for them; a filter with an error stays one', () => {
  const search = (text: string) => asSearch(text, { objects, root: 'people' })
  expect(search('müller')).toBe('search("müller")')
  expect(search('  renewal lakeshore ')).toBe('search("renewal lakeshore")')
  expect(search('Bread and Butter')).toBe('search("Bread and Butter")')
  expect(search('ada@acme.com')).toBe('search("ada@acme.com")')
  expect(search('+43 664 1234')).toBe('search("+43 664 1234")')
  expect(search('"müller"')).toBe('search("müller")')
  expect(search("O'Brien")).toBe('search("O\'Brien")')
  for (const text of ['stage = negotation', 'status', 'status is emtpy', 'Status', 'organization.contry', 'any(deals'])
    expect([text, search(text)]).toEqual([text, undefined])
  for (const text of ['not müller', 'quiet for 14d', 'score >', '', '  ', '"', 'stauts is empty'])
    expect([text, search(text)]).toEqual([text, undefined])
})

test('an empty string is an error that suggests is empty', () => {
  for (const op of ['=', '~', 'starts with'])
    expect(faultOf(`first_name ${op} ""`)).toMatchObject({ at: '""', message: expect.stringContaining('is empty') })
  expect(faultOf('phones ~ "abc"').message).toContain('at least one digit')
  expect(faultOf('search("  ")')).toMatchObject({ at: '"  "' })
})

describe('quiet for', () => {
  const long = '2026-05-01T00:00:00.000Z'
  const recent = '2026-06-10T00:00:00.000Z'

  test.each([
    ['a last activity longer ago', { last_activity_at: long, created_at: long }, true],
    ['a last activity since', { last_activity_at: recent, created_at: long }, false],
    ['no activity, made longer ago', { created_at: long }, true],
    ['no activity, made since', { created_at: recent }, false],
    ['exactly so long', { last_activity_at: '2026-06-03T10:30:00.000Z', created_at: long }, false],
  ])('%s', (_, values, isQuiet) => {
    expect(fits('quiet for 14d', values)).toBe(isQuiet)
    expect(fits({ quiet_for: '14d' }, values)).toBe(isQuiet)
    expect(fits('not quiet for 2W', values)).toBe(!isQuiet)
  })

  test('is the same in both notations, also inside any and none', () => {
    expect(treeOf('Quiet FOR 14D')).toEqual({ quiet_for: '14d' })
    expect(treeOf([{ quiet_for: '14d' }])).toEqual({ quiet_for: '14d' })
    expect(print(treeOf('not (quiet for 1h) and none(deals: quiet for 1q)'))).toBe(
      'not quiet for 1h and none(deals: quiet for 1q)',
    )
  })

  test('does not reserve the names of fields', () => {
    const fields = [{ key: 'quiet', label: 'Quiet', type: 'number' as const }, ...objects.people!.fields]
    const scope = { objects: { ...objects, people: { ...objects.people!, fields } }, root: 'people' }
    expect(readFilter('quiet = 3 and quiet for 3d', scope)).toMatchObject({
      filter: { and: [{ field: 'quiet', op: 'eq', value: 3 }, { quiet_for: '3d' }] },
    })
  })

  test('is an error if records have no activity', () => {
    const scope = { objects: { plain: { key: 'plain', label: 'Plain', fields: [] } }, root: 'plain' }
    expect(readFilter('quiet for 3d', scope)).toMatchObject({ faults: [{ at: { offset: 0, length: 12 } }] })
  })
})

describe('the table of bare words in the documentation is correct', () => {
  const me = { me: true }
  test.each([
    ['owner', [me, 'today', 'true', '2026', 'empty']],
    ['birthday', [0, { range: 'today' }, 0, 0, 0]],
    ['created_at', [0, { range: 'today' }, 0, 0, 0]],
    ['do_not_contact', [0, 0, true, 0, 0]],
    ['score', [0, 0, 0, 2026, 0]],
    ['first_name', ['me', 'today', 'true', '2026', 'empty']],
    ['organization.country', ['ME', 'today', 'true', '2026', 'empty']],
    ['organization', [0, 'today', 'true', '2026', 'empty']],
    ['status', ['me', 0, 'true', '2026', 0]],
  ])('%s', (field, values) => {
    for (const [i, word] of ['me', 'today', 'true', '2026', 'empty'].entries()) {
      const value = values[i]!
      if (value === 0) expect(faultOf(`${field} = ${word}`).at).toBe(word)
      else expect(treeOf(`${field} = ${word}`)).toEqual({ field, op: 'eq', value })
    }
  })
})

test('fields that the caller may not read cannot be used', () => {
  const { people } = objects
  const blind = (text: string) => readFilter(text, { objects: { people: people! }, root: 'people' })
  for (const text of ['organization.country = DE', 'any(deals: amount > 5)', 'none(organization: search("x"))'])
    expect(blind(text)).toMatchObject({ faults: [{ message: expect.stringContaining('You do not have access') }] })
  expect(blind('organization is empty')).toMatchObject({ filter: { op: 'is_empty' } })
})

test('any says which objects are searched', () => {
  expect(read('any(about: search("x"))', 'tasks').checked).toMatchObject({
    objects: ['people', 'organizations', 'deals', 'tasks'],
  })
  expect(read('none(deals: amount > 5)').checked).toMatchObject({ objects: ['deals'] })
})
