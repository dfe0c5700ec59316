import { describe, expect, test } from 'vitest'
import { hasFaults, type Op, operators, operatorsOf, parse } from '../../contract/filter/index.ts'
import { objects } from './company.ts'
import { faultOf, faultsOf } from './given.ts'

describe('an error points at the exact word and says what would be valid', () => {
  test('an unknown field, with the names near it', () => {
    const fault = faultOf('score > 5 and stauts = active')
    expect(fault).toMatchObject({ at: 'stauts', offset: 14, found: 'stauts' })
    expect(fault.nearest[0]).toBe('status')
    expect(fault.message).toMatch(/^There is no field stauts on people\. Did you mean status\b/)
    expect(fault.problem).toBe('There is no field stauts on people.')
  })

  test('an unknown field of a related record, by its label too', () => {
    expect(faultOf('organization.contry = DE')).toMatchObject({
      at: 'contry',
      nearest: ['country'],
    })
    expect(faultOf('`Lead scor` > 5').nearest).toEqual(['score'])
  })

  test('names that are far off are not suggested', () => {
    expect(faultOf('shoe_size = 9')).toMatchObject({ nearest: [], message: 'There is no field shoe_size on people.' })
    expect(faultOf('status = zzz').nearest).toEqual([])
    expect(faultOf('status = zzz').message).toMatch(/^status has no option zzz\. Options: \w+, .+\.$/)
    // One word of a name, or its beginning, is near.
    expect(faultOf('organisaton = x').nearest).toEqual(['organization'])
    expect(faultOf('org = x').nearest).toEqual(['organization'])
  })

  test('an operator that the field does not support, with those it supports', () => {
    const fault = faultOf('score ~ 5')
    expect(fault).toMatchObject({
      at: '~',
      found: '~',
      operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'not_in', 'is_empty', 'is_not_empty'],
    })
    expect(fault.message).toContain('between')
    expect(faultOf('tags = vip')).toMatchObject({
      at: '=',
      operators: ['has_any', 'has_all', 'has_none', 'is_empty', 'is_not_empty'],
    })
    expect(faultOf('do_not_contact is empty')).toMatchObject({ at: 'is empty', operators: ['eq', 'ne'] })
  })

  test('an unknown option, with the nearest ones', () => {
    expect(faultOf('status in (active, custmer)')).toMatchObject({
      at: 'custmer',
      nearest: ['customer'],
    })
    expect(faultOf('stage = "closed lst"', 'deals')).toMatchObject({
      at: '"closed lst"',
      nearest: ['closed_lost', 'closed_won'],
    })
  })

  test('an unknown range', () => {
    expect(faultOf('birthday in this_qarter')).toMatchObject({
      at: 'this_qarter',
      nearest: ['this_quarter'],
    })
  })

  test('an invalid date', () => {
    for (const day of ['2026-02-30', '2026-13-01', '2025-02-29', '0000-01-01', '2026-1-1', '2026'])
      expect(faultOf(`birthday = ${day}`)).toMatchObject({ at: day, message: expect.stringContaining('2026-06-15') })
    expect(faultOf('created_at = 2026-01-01T25:00')).toMatchObject({ at: '2026-01-01T25:00' })
    expect(faultOf('created_at < -99999y').message).toContain('1,000 years')
  })

  test('an offset from UTC that no clock has', () => {
    for (const offset of ['+99:99', '-15:00', '+02:60'])
      expect(faultOf(`created_at > 2026-01-01T10:00${offset}`)).toMatchObject({
        at: `2026-01-01T10:00${offset}`,
        message: `${offset} is not an offset from UTC. Use Z, or one from -14:00 to +14:00.`,
      })
    expect(faultsOf('created_at > 2026-01-01T10:00+14:00 and created_at < 2026-01-01T10:00-12:00')).toEqual([])
  })

  test('a path that continues after a user', () =>
    expect(faultOf('owner.city = "Ada"')).toMatchObject({
      at: 'owner',
      message: 'owner is a user. Compare it with a name: owner = "Ada Lovelace", or use owner.name.',
    }))

  test('numbers and texts in JSON that nothing can match', () => {
    const faultOfValue = (value: unknown) => faultsOf({ field: 'score', op: 'eq', value } as never)
    expect(faultOfValue(1e300)).toMatchObject([
      { path: ['value'], message: 'Use a number from -9007199254740991 to 9007199254740991.' },
    ])
    expect(faultOfValue(`a${'\u0301'.repeat(31)}`)).toMatchObject([
      { path: ['value'], message: expect.stringContaining('At most 30 accents') },
    ])
    expect(faultsOf({ search: `a${'\u0301'.repeat(31)}` })).toMatchObject([{ path: ['search'] }])
    expect(faultsOf({ search: 'a'.repeat(201) })).toMatchObject([
      { path: ['search'], message: 'A search can have at most 200 characters. Use fewer words.' },
    ])
  })

  test('an invalid or too long duration', () => {
    expect(faultOf('quiet for 1001y')).toMatchObject({ at: '1001y', message: expect.stringContaining('1,000 years') })
    expect(faultsOf({ quiet_for: 14 } as never)).toMatchObject([{ path: ['quiet_for'] }])
    expect(faultsOf({ any: 'deals', where: { quiet_for: '-14d' } })).toMatchObject([{ path: ['where', 'quiet_for'] }])
  })

  test('only the first five have nearest names: they cost most and help least', () => {
    const text = Array.from({ length: 8 }, (_, i) => `scor${i} > 5`).join(' and ')
    expect(faultsOf(text).map(({ nearest }) => nearest.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
  })

  test('all errors are reported together', () => {
    const faults = faultsOf('scor > 5 and (status = x or not any(deal: amount > 1)) and owner > 3')
    expect(faults.map((fault) => fault.found)).toEqual(['scor', 'x', 'deal', '>'])
  })

  test('in JSON by its path', () => {
    const faults = faultsOf({
      and: [
        { field: 'scor', op: 'gt', value: 5 },
        { not: { any: 'deals', where: [{ field: 'stage', op: 'in', value: ['qualified', 'x'] }] } },
      ],
    })
    expect(faults).toMatchObject([
      { path: ['and', 0, 'field'], found: 'scor', nearest: ['score'] },
      { path: ['and', 1, 'not', 'where', 0, 'value', 1], found: 'x' },
    ])
  })
})

describe('text that is not a filter', () => {
  test.each([
    ['status', 6, '', 'an operator, such as'],
    ['status = ', 9, '', 'a value, such as'],
    ['status active', 7, 'active', 'an operator, such as'],
    ['status = active score > 5', 16, 'score', 'Expected "and" or "or", but found score'],
    ['(status = active', 16, '', 'a closing parenthesis'],
    ['status = active)', 15, ')', 'has no opening one'],
    ['status in (active', 17, '', 'a comma or a closing parenthesis'],
    ['status in ()', 11, ')', 'a value, such as'],
    ['and status = active', 0, 'and', '`and`'],
    ['status = active and', 19, '', 'a condition, such as'],
    ['not', 3, '', 'a condition, such as'],
    ['not not status = active', 4, 'not', 'a condition, such as'],
    ['status == active', 7, '==', 'Use =.'],
    ['status <> active', 7, '<>', 'Use !=.'],
    ['score = 1 && score = 2', 10, '&&', 'Write and'],
    ['score = 1 || score = 2', 10, '||', 'Write or'],
    ['first_name like "a"', 11, 'like', 'Write ~'],
    ["first_name = 'Ada'", 13, "'Ada'", 'double quotes'],
    ['first_name = “Ada”', 13, '“Ada”', 'straight double quotes'],
    ['first_name = "Ada', 13, '"', 'no closing quote'],
    ['first_name = "a\\d"', 15, '\\d', 'Write \\\\ for a backslash'],
    ['`Lead score > 5', 0, '`Lead', 'closing backtick'],
    ['first_name starts "A"', 18, '"A"', '"with", as in'],
    ['first_name is', 13, '', '"empty", as in'],
    ['tags has (vip)', 9, '(', '"any", "all" or "none"'],
    ['score between 1', 15, '', 'the second value'],
    ['score between 1 or 2', 16, 'or', 'the second value'],
    ['status not active', 11, 'active', '"in", as in'],
    ['any(deals)', 9, ')', 'a colon, as in'],
    ['any deals', 4, 'deals', 'an opening parenthesis'],
    ['any(deals: )', 11, ')', 'a condition, such as'],
    ['search(acme)', 7, 'acme', 'text in double quotes'],
    ['score = (1, 2)', 8, '(1, 2)', 'use in'],
    ['last_activity_at < -14days', 19, '-14days', 'min, h, d, w, mo, q or y'],
    ['status = act\0ive', 12, '"\\u0000"', 'Remove this character'],
    ['status = a\ud800', 10, '"\\ud800"', 'Remove this character'],
    [`first_name = "a${'\u0301'.repeat(31)}"`, 15, '\u0301'.repeat(31), 'At most 30 accents'],
    ['quiet', 5, '', '"for", as in quiet for 14d'],
    ['quiet for', 9, '', 'a length of time, such as 14d'],
    ['quiet for ages', 10, 'ages', 'Enter a length of time such as 14d'],
    ['quiet for -14d', 10, '-14d', 'Enter a length of time such as 14d'],
    ['quiet for "14d"', 10, '"14d"', 'without quotes'],
    ['score = .5', 8, '.5', 'Write 0.5'],
    ['score = -.5', 8, '-.5', 'Write -0.5'],
    ['score = $5', 8, '$5', 'Write the number alone: 5.'],
    ['score = 12.5€', 8, '12.5€', 'Write the number alone: 12.5.'],
    ['score = +5', 8, '+5', 'Write the number alone: 5.'],
    ['birthday = 01.02.2026', 11, '01.02.2026', 'with the year first: 2026-02-01'],
    [`${'score = 1 and '.repeat(90)}score = 1 x`, 1270, 'x', 'x is not valid here'],
  ])('%j', (text, offset, found, words) => {
    const result = parse(text)
    if (!hasFaults(result)) throw new Error('parsed')
    const [fault] = result.faults
    expect(result.faults).toHaveLength(1)
    expect(fault).toMatchObject({ at: { offset }, found, message: expect.stringContaining(words) })
  })
})

describe('limits are refused by their names', () => {
  const many = (n: number) => Array.from({ length: n }, () => 'score > 1').join(' and ')
  const deep = (n: number) => `${'('.repeat(n)}score > 1${')'.repeat(n)}`
  const nots = (n: number) => `${'not ('.repeat(n)}score > 1${')'.repeat(n)}`

  test('10,000 characters', () => {
    expect(faultsOf(`first_name = "${'x'.repeat(9985)}"`)).toEqual([])
    expect(faultsOf(`first_name = "${'x'.repeat(9986)}"`)).toMatchObject([
      { limit: 'characters', message: expect.stringContaining('10,000 characters') },
    ])
    expect(faultsOf({ field: 'first_name', op: 'eq', value: 'x'.repeat(10_001) })).toMatchObject([
      { limit: 'characters' },
    ])
  })

  test('200 conditions', () => {
    const condition = { field: 'score', op: 'gt', value: 1 } as const
    expect(faultsOf(many(200))).toEqual([])
    expect(faultsOf(many(201))).toMatchObject([
      { limit: 'conditions', message: expect.stringContaining('200 conditions') },
    ])
    expect(faultsOf(Array.from({ length: 200 }, () => condition))).toEqual([])
    expect(faultsOf(Array.from({ length: 201 }, () => condition))).toMatchObject([{ limit: 'conditions' }])
    expect(faultsOf(Array.from({ length: 300_000 }, () => condition))).toMatchObject([{ limit: 'conditions' }])
  })

  test('20 levels', () => {
    expect(faultsOf(deep(20))).toEqual([])
    expect(faultsOf(deep(21))).toMatchObject([{ limit: 'levels', message: expect.stringContaining('20 levels') }])
    expect(faultsOf(nots(19))).toEqual([])
    expect(faultsOf(nots(20))).toMatchObject([{ limit: 'levels' }])
    const nested = (n: number): object => (n ? { not: nested(n - 1) } : { field: 'score', op: 'gt', value: 1 })
    expect(faultsOf(nested(19) as never)).toEqual([])
    expect(faultsOf(nested(20) as never)).toMatchObject([{ limit: 'levels', path: Array(20).fill('not') }])
  })
})

test('every type takes exactly the operators of its row', () => {
  const text = [
    'eq',
    'ne',
    'contains',
    'not_contains',
    'starts_with',
    'ends_with',
    'in',
    'not_in',
    'is_empty',
    'is_not_empty',
  ]
  const amount = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'not_in', 'is_empty', 'is_not_empty']
  const choice = ['eq', 'ne', 'in', 'not_in', 'is_empty', 'is_not_empty']
  const set = ['has_any', 'has_all', 'has_none', 'is_empty', 'is_not_empty']
  const rows = {
    text,
    long_text: text,
    email: text,
    phone: text,
    url: text,
    country: text,
    number: amount,
    money: amount,
    date: amount,
    datetime: amount,
    select: choice,
    user: choice,
    relation: choice,
    multi_select: set,
    boolean: ['eq', 'ne'],
    file: text,
  }
  const samples = { text: 'x', number: '1', moment: '2026-01-01' }
  for (const object of Object.values(objects))
    for (const field of object.fields) {
      const row = field.many ? set : rows[field.type]
      expect(operatorsOf(field)).toEqual(row)
      for (const op of Object.keys(operators) as Op[]) {
        const value =
          field.options?.[0]?.key ??
          (/number|money/.test(field.type)
            ? samples.number
            : /date/.test(field.type)
              ? samples.moment
              : field.type === 'boolean'
                ? 'true'
                : field.type === 'phone'
                  ? '"+49"'
                  : samples.text)
        const { operands, text: written } = operators[op]
        const operand = { none: '', one: value, list: `(${value})`, pair: `${value} and ${value}` }[operands]
        const faults = faultsOf(`\`${field.key}\` ${written} ${operand}`, object.key)
        if (row.includes(op)) expect(faults, `${field.type} ${op}`).toEqual([])
        else expect(faults, `${field.type} ${op}`).toMatchObject([{ operators: row }])
      }
    }
})
