// Likely and unlikely values of every type of field, and an object with a field of every kind.
import fc from 'fast-check'
import { type FieldType, fieldTypes, multiTypes, uniqueTypes } from '../../contract/built-in/field-types.ts'
import type { TestApp } from '../app.ts'

const long = fc.tuple(
  fc.constantFrom('a', 'é', '😀', 'ﷺ', '漢'),
  fc.constantFrom(198, 199, 200, 254, 999, 1000, 1993, 2000),
)
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u0301',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '$1',
    '{}',
    'null',
    'a\u2028b',
    'İ',
    'ß',
  ),
  long.map(([letter, size]) => letter.repeat(size)),
  long.map(([letter, size]) => 'a'.repeat(size) + letter),
)
export const likely: Record<FieldType, fc.Arbitrary<unknown>> = {
  text: texts,
  long_text: fc.oneof(texts, fc.constantFrom('a\nb', ' x \n', 'é'.repeat(100_000), `${'a '.repeat(15_000)}needle`)),
  number: fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e15, 1e15 + 1, 5e-324, 0.1 + 0.2)),
  money: fc.oneof(
    fc.record(
      {
        amount: fc.oneof(fc.constantFrom('1', '-0', '007', '1.123456', '1.1234567', '1e3', ''), fc.double()),
        currency: fc.constantFrom('EUR', 'USD', 'eur', 'XYZ', null),
      },
      { requiredKeys: ['amount'], noNullPrototype: true },
    ),
    fc.double(),
    fc.constantFrom('12.50', '1,5'),
  ),
  boolean: fc.oneof(fc.boolean(), fc.constantFrom('true', 1, 0)),
  date: fc.constantFrom(
    '2026-06-15',
    '2026-02-30',
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
    '2026-6-1',
    ' 2026-06-15 ',
  ),
  datetime: fc.constantFrom(
    '2026-06-15T12:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-06-15T24:00:00Z',
    '0000-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-06-15T12:00:00.123456789Z',
    '2026-06-15T12:00+05:45',
    '2026-06-15',
    '2026-06-15T12:60Z',
  ),
  select: fc.constantFrom('one', 'One', ' ONE ', 'two', 'none'),
  multi_select: fc.oneof(fc.subarray(['one', 'two', 'One', '']), fc.constantFrom('one', [['one']])),
  email: fc.oneof(
    fc.emailAddress(),
    fc.constantFrom('a@b.c', ' A@B.C ', 'jürgen@münchen.de', 'a@b', '@', 'a b@c.d', 'Ä@x.com'),
  ),
  phone: fc.oneof(
    fc.stringMatching(/^\+?[0-9 ()/-]{3,20}$/),
    fc.constantFrom('+49 30 1234567', '+12133734253', '1', '+49 30 1234567 ext. 5'),
  ),
  url: fc.oneof(
    fc.webUrl(),
    texts,
    fc.constantFrom(
      'example.com',
      'HTTP://X.com',
      'javascript:alert(1)',
      'ftp://x.com',
      '//x',
      `x.com/${'a'.repeat(1990)}`,
      'https://x.com/ä b',
    ),
  ),
  country: fc.oneof(texts, fc.constantFrom('DE', 'de', ' Germany ', 'USA', 'Narnia', 'Ελλάδα', 'x'.repeat(1001))),
  user: fc.constantFrom('me', 'ME', 'Ada Admin', 'nobody', '%', ''),
  relation: fc.constantFrom('First', 'first', 'nobody', '%', ' '),
  file: fc.constantFrom('offer.pdf', '', '019a0000-0000-7000-8000-000000000000'),
}

/** A field of each kind, some in two numbers, and unique ones. */
export const kinds = [
  ...fieldTypes.map((type) => ({ key: `one_${type}`, type, more: {} })),
  ...multiTypes.map((type) => ({ key: `many_${type}`, type, more: { is_multi: true } })),
  ...uniqueTypes.map((type) => ({ key: `unique_${type}`, type, more: { is_unique: true } })),
]

export async function withEveryKind({ given, withKey }: TestApp) {
  const admin = await given.company()
  const key = await given.key(admin)
  const api = withKey(key)
  await api.createObject({ key: 'things', label: 'Thing', label_plural: 'Things' })
  for (const { key, type, more } of kinds) {
    const options =
      type === 'select' || type === 'multi_select' ? { options: [{ label: 'One' }, { label: 'Two' }] } : {}
    await api.createField({ object: 'things', key, label: key, type, ...options, ...more })
  }
  await api.createRecords({ object: 'things', records: [{ name: 'First' }] })
  return { api, key, company_id: admin.company_id }
}
