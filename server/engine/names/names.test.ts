// Names that are nearly right: the refusal says where, what was found, and what was meant.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fault, type FilterField, operators, operatorsOf } from '../../../contract/filter/index.ts'
import { testApp } from '../../../test/app.ts'
import { inTurns, runs, seed } from '../../../test/random.ts'
import { isTaken } from '../../../test/records/refusal.ts'
import { type Scope, scopeFrom } from '../../../test/records/scope.ts'

const kith = await testApp()
const { given, withKey } = kith

type Slip = { before: string; wrong: string; after: string; meant: string }

/** One letter put in, left out or changed, or two swapped. */
const misspelt = (name: string) =>
  fc
    .tuple(fc.constantFrom('add', 'drop', 'change', 'swap'), fc.nat(name.length - 2), fc.constantFrom(...'qxz'))
    .map(([how, at, letter]) => {
      if (how === 'add') return name.slice(0, at + 1) + letter + name.slice(at + 1)
      if (how === 'drop') return name.slice(0, at + 1) + name.slice(at + 2)
      if (how === 'change') return name.slice(0, at + 1) + letter + name.slice(at + 2)
      return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
    })

const anyOf = <T>(list: T[]) => fc.constantFrom(...list)
const slip = (before: string, meant: string, after: string, taken: string[]) =>
  misspelt(meant)
    .filter(
      (wrong) => wrong !== meant && !taken.includes(wrong.toLowerCase()) && !/^(and|or|not|in|is|has)$/.test(wrong),
    )
    .map((wrong): Slip => ({ before, wrong, after, meant }))

function slipsIn(scope: Scope, users: string[]): Record<string, fc.Arbitrary<Slip>> {
  const { fields } = scope.people!
  const keys = (list: FilterField[]) => list.map(({ key }) => key)
  const long = (list: FilterField[]) => list.filter(({ key }) => key.length > 3)
  const withOptions = fields.filter(({ options }) => options?.length)
  const lead = fc.constantFrom('', 'score > 1 and ', 'not (city = x or ')
  const close = (before: string) => (before.includes('(') ? ')' : '')
  const led = (make: (before: string, after: string) => fc.Arbitrary<Slip>) =>
    lead.chain((before) => make(before, close(before)))
  const organization = scope.organizations!.fields
  return {
    field: led((before, after) =>
      anyOf(long(fields)).chain(({ key }) => slip(before, key, ` is empty${after}`, keys(fields))),
    ),
    path: led((before, after) =>
      anyOf(long(organization)).chain(({ key }) =>
        slip(`${before}organization.`, key, ` is empty${after}`, keys(organization)),
      ),
    ),
    relation: led((before, after) => slip(`${before}any(`, 'deals', `: name = x)${after}`, keys(fields))),
    option: led((before, after) =>
      anyOf(withOptions).chain(({ key, type, options }) => {
        const some = options!.map((option) => option.key)
        const operator = type === 'select' ? 'in' : 'has any'
        return anyOf(some.filter((one) => one.length > 2)).chain((option) =>
          slip(`${before}${key} ${operator} (`, option, `)${after}`, some),
        )
      }),
    ),
    user: led((before, after) =>
      anyOf(users).chain((name) =>
        slip(
          `${before}owner = "`,
          name,
          `"${after}`,
          users.map((one) => one.toLowerCase()),
        ),
      ),
    ),
    operator: led((before, after) => slip(`${before}score `, 'between', ` 1 and 2${after}`, [])),
    range: led((before, after) => slip(`${before}birthday in `, 'this_quarter', after, [])),
  }
}

async function newCompany() {
  const admin = await given.company()
  const users = ['Grace Hopper', 'Alan Turing', 'Katherine Johnson']
  for (const name of users) await given.user(admin, { name })
  const api = withKey(await given.key(admin))
  await api.updateField({ object: 'people', field: 'tags', options: [{ label: 'partner' }, { label: 'press' }] })
  const scope = scopeFrom((await api.describeSchema({})).objects)
  return { api, scope, users }
}

test('a misspelled field, path, relation, option, user, operator or range is reported with its position and a suggestion', async () => {
  const { api, scope, users } = await newCompany()
  for (const [kind, arbitrary] of Object.entries(slipsIn(scope, users)))
    await inTurns(fc.sample(arbitrary, { seed, numRuns: runs(20) }), async ({ before, wrong, after, meant }) => {
      const text = before + wrong + after
      const { faults } = (await api.validateFilter({ object: 'people', filter: text })) as unknown as {
        faults: Fault[]
      }
      const [{ at, found, nearest, message } = {} as Fault] = faults
      expect(text.slice(at!.offset, at!.offset + at!.length).replaceAll('"', ''), text).toBe(wrong)
      expect(found, text).toBe(wrong)
      expect(message, text).toContain(wrong)
      expect(nearest.length, text).toBeLessThanOrEqual(3)
      expect(nearest, `${kind}: ${text}`).toContain(meant)
      for (const name of nearest) expect(message, text).toContain(name)
      const problem = await api.listRecords({ object: 'people', filter: text }).catch((error) => error.problem)
      expect(problem).toMatchObject({ status: 422, errors: [{ path: 'filter', ...at, nearest, message }] })
    })
})

test('an operator that a field does not support is reported with those that it supports', async () => {
  const { api, scope } = await newCompany()
  const { fields } = scope.people!
  const pairs = fields.flatMap((field) =>
    Object.values(operators)
      .filter(
        ({ text, operands }) => operands === 'none' && !operatorsOf(field).some((op) => operators[op].text === text),
      )
      .map(({ text }) => ({ field, text })),
  )
  const more = fields
    .filter(({ type }) => type === 'number' || type === 'select')
    .map((field) => ({ field, text: '~ x' }))
  await inTurns([...pairs, ...more], async ({ field, text }) => {
    const filter = `${field.key} ${text}`
    const problem = await api.listRecords({ object: 'people', filter }).catch((error) => error.problem)
    expect(problem?.errors?.[0], filter).toMatchObject({ offset: field.key.length + 1 })
    for (const op of operatorsOf(field)) expect(problem.detail, filter).toContain(operators[op].text)
  })
})

test('misspelled names in sort, fields, relation, unique field and values are reported with similar ones', async () => {
  const { api, scope } = await newCompany()
  const { fields } = scope.people!
  const slips = fc.sample(
    anyOf(
      fields.filter(({ type, key, multi }) => type === 'text' && key.length > 3 && !multi && key !== 'title'),
    ).chain(({ key }) =>
      slip(
        '',
        key,
        '',
        fields.map((field) => field.key),
      ),
    ),
    { seed, numRuns: runs(20) },
  )
  await inTurns(slips, async ({ wrong, meant }) => {
    const object = 'people'
    for (const call of [
      () => api.listRecords({ object, sort: [`-${wrong}`] }),
      () => api.listRecords({ object, fields: [wrong] }),
      () => api.createRecords({ object, records: [{ [wrong]: 'x' }] }),
    ]) {
      const problem = await call().catch((error) => error.problem)
      expect(problem?.detail, wrong).toContain(wrong)
      expect(problem.detail, wrong).toMatch(new RegExp(`Did you mean .*\\b${meant}\\b`))
      expect(problem.detail.match(/Did you mean ([\w ,]+)\?/)[1].split(/, | or /).length).toBeLessThanOrEqual(3)
    }
    for (const call of [
      () => api.listRecords({ object: `${wrong}s` }),
      () => api.upsertRecords({ object, match_on: wrong, records: [{ [wrong]: 'x' }] }),
      () => api.getRecords({ object, by: [{ field: wrong, value: 'x' }] }),
      () => api.linkRecords({ object, id: '01a1de52-9cd6-735a-bd32-4ceb59c38c4b', field: wrong, to: [] }),
    ])
      expect(await isTaken(call(), wrong)).toBe(false)
  })
})
