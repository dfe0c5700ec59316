import { expect, test } from 'vitest'
import { hasFaults, type References, referencesIn, resolve } from '../../contract/filter/index.ts'
import { here, read } from './given.ts'

const ada = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a33', title: 'Ada Lovelace' }
const acme = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a44', title: 'Acme' }
const other = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a55', title: 'ACME' }

const run = (text: string, references: References) => resolve(read(text).checked, { ...here, references })

test('users and records named by text are listed once, wherever they appear', () => {
  const { checked } = read(
    'owner = "ada@acme.com" and (any(deals: organization = Acme) or not organization in ("acme", "Beta Ltd"))',
  )
  expect(referencesIn(checked)).toMatchObject([
    { kind: 'user', objects: [], text: 'ada@acme.com' },
    { kind: 'record', objects: ['organizations'], text: 'acme' },
    { kind: 'record', objects: ['organizations'], text: 'Beta Ltd' },
  ])
})

test('IDs, me and other fields need no lookup', () => {
  expect(
    referencesIn(read(`owner = me and organization = ${acme.id} and first_name = Ada and status = active`).checked),
  ).toEqual([])
})

test('a single match is used', () => {
  const [reference] = referencesIn(read('owner = "Ada Lovelace"').checked)
  expect(run('owner = "Ada Lovelace"', { [reference!.key]: [ada] })).toMatchObject({
    resolved: { test: { kind: 'oneOf', values: [ada.id] } },
  })
})

test('an ID is used directly, in upper or lower case', () => {
  expect(run(`organization = ${acme.id.toUpperCase()}`, {})).toMatchObject({
    resolved: { test: { values: [acme.id] } },
  })
})

test('several matches are an error that lists them, at the exact word', () => {
  const text = 'score > 5 and organization = acme'
  const [reference] = referencesIn(read(text).checked)
  const result = run(text, { [reference!.key]: [acme, other] })
  if (!hasFaults(result)) throw new Error('resolved')
  expect(result.faults).toMatchObject([{ at: { offset: 29, length: 4 }, found: 'acme', nearest: [acme.id, other.id] }])
  expect(result.faults[0]!.message).toContain(`Acme (${acme.id}) and ACME (${other.id})`)
})

test('no match is an error', () => {
  const result = run('organization = "Nobody Ltd" or owner = x', {})
  if (!hasFaults(result)) throw new Error('resolved')
  expect(result.faults).toMatchObject([
    {
      found: 'Nobody Ltd',
      at: { offset: 15, length: 12 },
      message: expect.stringContaining('No record is named Nobody Ltd'),
    },
    { found: 'x', message: expect.stringContaining('No user is named x') },
  ])
})
