import { expect, test } from 'vitest'
import { hasFaults, type References, referencesIn, resolve } from '../../contract/filter/index.ts'
import { here, read } from './given.ts'

const ada = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a33', title: 'Ada Lovelace' }
const acme = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a44', title: 'Acme' }
const other = { id: '0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a55', title: 'ACME' }

const run = (text: string, references: References) => resolve(read(text).checked, { ...here, references })

test('users and records named by text are listed once, wherever they stand', () => {
  const { checked } = read(
    'owner = "ada@acme.com" and (any(deals: organization = Acme) or not organization in ("acme", "Beta Ltd"))',
  )
  expect(referencesIn(checked)).toMatchObject([
    { kind: 'user', objects: [], text: 'ada@acme.com' },
    { kind: 'record', objects: ['organizations'], text: 'acme' },
    { kind: 'record', objects: ['organizations'], text: 'Beta Ltd' },
  ])
})

test('ids, me and other fields need no looking up', () => {
  expect(
    referencesIn(read(`owner = me and organization = ${acme.id} and first_name = Ada and status = active`).checked),
  ).toEqual([])
})

test('one that fits is taken', () => {
  const [reference] = referencesIn(read('owner = "Ada Lovelace"').checked)
  expect(run('owner = "Ada Lovelace"', { [reference!.key]: [ada] })).toMatchObject({
    resolved: { test: { kind: 'oneOf', values: [ada.id] } },
  })
})

test('an id is taken as it is, in any case', () => {
  expect(run(`organization = ${acme.id.toUpperCase()}`, {})).toMatchObject({
    resolved: { test: { values: [acme.id] } },
  })
})

test('several that fit are a fault that lists them, at the very word', () => {
  const text = 'score > 5 and organization = acme'
  const [reference] = referencesIn(read(text).checked)
  const result = run(text, { [reference!.key]: [acme, other] })
  if (!hasFaults(result)) throw new Error('resolved')
  expect(result.faults).toMatchObject([{ at: { offset: 29, length: 4 }, found: 'acme', nearest: [acme.id, other.id] }])
  expect(result.faults[0]!.message).toContain(`Acme (${acme.id}) and ACME (${other.id})`)
})

test('none that fits is a fault', () => {
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
