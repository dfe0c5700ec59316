// Programs written for the last release still work, or the changelog says what to change in them.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contract } from '../../contract/index.ts'
import { isForKeys, isForOutsiders, type Operation } from '../../contract/operation.ts'
import { readReleased, releases } from '../upgrade/released.ts'
import { breaksBetween, type Document } from './breaks.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const now = JSON.parse(read('docs/openapi.json')) as Document
const [, newest = ''] = read('CHANGELOG.md').split(/^## /m)
/** The version that is being worked on, which is not recorded before it is released. */
const [version = ''] = newest.split(/\s/)
const last = releases.filter((one) => one !== version).at(-1)!
const replacing = Object.fromEntries(
  Object.entries<Operation>(contract).flatMap(([name, op]) =>
    op.replaces && (isForKeys(op) || isForOutsiders(op)) ? [[name, op.replaces]] : [],
  ),
)

/** Names and routes in `code` in the newest section for programs. */
const upgrading = read('docs/upgrading.md')
const [, changed = ''] = upgrading.split(/^## /m)
const namesIn = (text: string) => new Set(text.matchAll(/`([^`]+)`/g).map(([, name]) => name))
const announced = namesIn(changed)

test(`every breaking change of the API since ${last} is in docs/upgrading.md`, () => {
  const silent = breaksBetween(JSON.parse(readReleased(last, 'openapi.json')), now, replacing).filter(
    (one) => !announced.has(one.operation),
  )
  const advice = `Undo these changes, or name the operations in docs/upgrading.md, ${version}`
  expect(
    silent.map(({ operation, what }) => `${operation} ${what}`),
    advice,
  ).toEqual([])
})

test('every replaced name, route and input is in docs/upgrading.md', () => {
  const old = Object.values(replacing)
    .flat()
    .flatMap(({ name, http, fields }) => [name, http, ...Object.keys(fields ?? {})])
  // Those of earlier releases still work.
  const named = namesIn(upgrading)
  expect(old.filter((one) => one && !named.has(one))).toEqual([])
})

type Body = { properties: Record<string, object>; required?: string[] }
const bodyOf = (document: Document, path: string, method: string) =>
  document.paths[path]![method]!.requestBody!.content['application/json']!.schema as Body

test.each<[string, (document: Document) => void, string[]]>([
  [
    'a new operation',
    (d) => {
      d.paths['/api/v1/more'] = { get: d.paths['/api/v1/me']!.get! }
    },
    [],
  ],
  [
    'a new optional input',
    (d) => {
      bodyOf(d, '/api/v1/roles', 'post').properties.color = { type: 'string' }
    },
    [],
  ],
  [
    'a new answer',
    (d) => {
      d.components.schemas.View!.properties!.color = { type: 'string' }
    },
    [],
  ],
  [
    'an input of one more type',
    (d) => {
      bodyOf(d, '/api/v1/views', 'post').properties.name = {}
    },
    [],
  ],
  [
    'a method that is gone',
    (d) => {
      delete d.paths['/api/v1/views']!.post
    },
    ['createView POST /api/v1/views is gone'],
  ],
  [
    'a parameter that is gone',
    (d) => {
      d.paths['/api/v1/views']!.get!.parameters.pop()
    },
    ['listViews query.cursor: is no longer taken'],
  ],
  [
    'a new required input',
    (d) => {
      bodyOf(d, '/api/v1/roles', 'post').required = ['name', 'records', 'description']
    },
    ['createRole body.description: is required'],
  ],
  [
    'an input of another type',
    (d) => {
      bodyOf(d, '/api/v1/me', 'patch').properties.name = { type: 'number' }
    },
    ['updateMe body.name: takes number instead of string'],
  ],
  [
    'a tighter limit',
    (d) => {
      bodyOf(d, '/api/v1/me', 'patch').properties.name = { type: 'string', minLength: 1, maxLength: 5 }
    },
    ['updateMe body.name: maxLength is 5'],
  ],
  [
    'an answer that can be null',
    (d) => {
      d.components.schemas.ViewColumn!.properties!.key = { type: ['string', 'null'] }
    },
    ['listViews items[].columns[].key: answers null instead of string'],
  ],
  [
    'an answer that is gone',
    (d) => {
      delete d.components.schemas.FoundRecord!.properties!.title
    },
    ['searchRecords items[].title: is no longer answered'],
  ],
  [
    'an answer that may be missing',
    (d) => {
      d.components.schemas.FoundRecord!.required!.pop()
    },
    ['searchRecords items[].matched: may be left out'],
  ],
])('%s is judged rightly', (_, change, wanted) => {
  const changed = structuredClone(now)
  change(changed)
  const breaks = breaksBetween(now, changed).map(({ operation, what }) => `${operation} ${what}`)
  expect(breaks.slice(0, 1)).toEqual(wanted)
})

test('every schema of the API is described', () => {
  for (const [name, schema] of Object.entries(now.components.schemas))
    expect(schema.$ref, `${name} refers to another schema, or to itself`).toBeUndefined()
})
