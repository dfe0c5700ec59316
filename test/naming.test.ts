// One scheme for names and paths, so that people and agents can guess them; see "Naming" in CONTRIBUTING.md.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../contract/index.ts'
import { isForKeys, type Operation, routeOf } from '../contract/operation.ts'

const operations = Object.entries<Operation>(contract)

/** Other words for get, list, create, update, delete, renew, retry, preview and reorder. */
const synonyms =
  /^(read|fetchAll|find|show|add|set|change|rename|edit|remove|discard|drop|rotate|regenerate|resend|try|simulate|order)[A-Z]/

test('one word stands for one kind of operation', () => {
  expect(operations.map(([name]) => name).filter((name) => synonyms.test(name) && name !== 'setUp')).toEqual([])
})

test.each([
  ['get', 'GET', /^POST .*\/(lookup|titles)$/],
  ['list', 'GET', /^$/],
  ['create', 'POST', /^$/],
  ['update', 'PATCH', /^PUT .*\/(picture|logo|password|role|mail)$/],
  ['delete', 'DELETE', /^POST .*\/deletion$/],
])('%s operations use %s', (verb, method, others) => {
  const named = operations.filter(([name]) => name.startsWith(verb) && /^[A-Z]/.test(name.slice(verb.length)))
  expect(named.length).toBeGreaterThan(10)
  const wrong = named.filter(([, op]) => routeOf(op).method !== method && !others.test(op.http))
  expect(wrong.map(([name, { http }]) => `${name} ${http}`)).toEqual([])
})

const verbs =
  /\/(cancel|close|resume|resend|process|delete|unlink|aggregate|get|read|open|seen|set|add|remove|start|stop)$/

test('changes of state are nouns in paths', () => {
  expect(operations.map(([, { http }]) => http).filter((http) => verbs.test(http))).toEqual([])
})

test('settings have one place', () => {
  expect(
    operations.map(([, { http }]) => http).filter((http) => /settings/.test(http) && !/ \/settings\//.test(http)),
  ).toEqual([])
})

test('the first ID of a path is called id', () => {
  // Keys of the schema are names, and chats and forms have public IDs.
  const keys = ['object', 'pipeline', 'stage', 'chat_id', 'form_id', 'token']
  const first = operations.flatMap(([, op]) => routeOf(op).names.slice(0, 1))
  expect(first.filter((name) => name !== 'id' && !keys.includes(name))).toEqual([])
})

/** Records are in `records`, wherever they come from. */
const ofRecords = ['listRecords', 'queryRecords', 'getRecords']

test('lists are called items, and their pages have at most 100', () => {
  for (const [name, { input, output }] of operations.filter(([name]) => /^list[A-Z]/.test(name))) {
    const { items } = (output as z.ZodObject).shape
    if (!ofRecords.includes(name)) expect(items, name).toBeInstanceOf(z.ZodArray)
    if (!('limit' in input.shape)) continue
    expect(
      input.safeParse({ limit: 101 }).error?.issues.map(({ path }) => path.join()),
      name,
    ).toContain('limit')
    expect('cursor' in input.shape, name).toBe(true)
  }
})

/** Tell Kith what to do, or name what is meant by them. */
const instructions =
  /^(dry_run|close|fill|filters|values|related|images|person|organization|send|by_key|by_kith|anyway|compare)$/
const described = /^(is|has|can|may|include|needs)_|^(app|email|pinned|create)$/
const settings =
  /^(shortcuts|two_factor|only_new_matches|asks_\w+|skip_bulk|double_opt_in|attach_csv|goes_on|stop_here|joins_subjects|agents_may_send)$/

test('booleans of inputs say what they are', () => {
  const wrong = operations
    .filter(([, op]) => isForKeys(op))
    .flatMap(([name, { input }]) =>
      booleansIn(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).map((field) => `${name} ${field}`),
    )
    .filter((one) => [instructions, described, settings].every((known) => !known.test(one.split(' ')[1]!)))
  expect(wrong).toEqual([])
})

function booleansIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const own = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean')
  return [...own, ...Object.values(schema).flatMap(booleansIn)]
}
