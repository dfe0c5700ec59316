// Holds for every operation, also for those that are yet to be written.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract, type OperationName } from '../contract/index.ts'
import { isForKeys, isForOutsiders, isLink, type Operation, routeOf } from '../contract/operation.ts'
import { type Grant, grants, memberGrants, memberRights, recordAccesses } from '../contract/shared/access.ts'
import { version } from '../server/platform/version.ts'
import { leaveOutEmpty } from '../server/transports/mcp/leave-out-empty.ts'
import { marked, toolName } from '../server/transports/mcp/tools.ts'
import { openapi } from '../server/transports/openapi/document.ts'
import { ApiError, createClient } from '../web/client/api.ts'
import { accesses } from './accesses.ts'
import { type Api, type TestApp, testApp } from './app.ts'
import type { GivenUser } from './given.ts'
import { sized } from './long.ts'
import { chosen, patience, runs, seed } from './random.ts'
import { bareRole, refusals, samples } from './samples.ts'

const operations = Object.entries(contract) as [OperationName, Operation][]
const forKeys = operations.filter(([, op]) => isForKeys(op))
const call = (api: Api, name: OperationName, input: object = samples[name]()) =>
  (api[name] as (input: object) => Promise<unknown>)(input)
const statusOfCall = (api: Api, name: OperationName, input?: object) =>
  call(api, name, input).then(
    () => 'ok',
    (error) => (error instanceof ApiError ? error.problem.status : error),
  )

/** Roles in these tests may do with records what a Member may. */
const isForEveryone = ({ access }: Operation) => ['public', 'member', ...recordAccesses].includes(access)
/** What the role Member allows. */
const isForMembers = (op: Operation) => isForEveryone(op) || memberGrants.includes(op.access as Grant)

/** Callers make the IDs of these themselves, so what they sent comes back. */
const takesIds = new Set<OperationName>(['saveMessageDraft'])

const requestLists: OperationName[] = ['listRequests', 'listMyRequests']
async function nextPage(api: Api, name: OperationName, input: object) {
  const { next_cursor } = (await call(api, name, { ...input, limit: 1 })) as { next_cursor: string }
  expect(next_cursor).toBeTruthy()
  return { ...input, cursor: next_cursor }
}

/** What a caller sees, whatever the door: the text of a file, an answer, or a refusal without its request id. */
const answerOf = (called: Promise<unknown>) =>
  called.then(
    (answer) => (answer instanceof Blob ? answer.text() : answer),
    (error: ApiError) => ({ ...error.problem, request_id: '' }),
  )

const onceFor = (make: (user: GivenUser) => Promise<string>) => {
  const made = new Map<string, Promise<string>>()
  return (user: GivenUser) => {
    if (!made.has(user.user_id)) made.set(user.user_id, make(user))
    return made.get(user.user_id)!
  }
}
const sharedSession = onceFor((user) => kith.given.session(user))
const keyOf = onceFor((user) => kith.given.key(user))
const deletedKeyOf = onceFor((user) => kith.given.deletedKey(user))
/** Operations for keys end no session, so they can share one. */
const sessionOf = (user: GivenUser, op: Operation) => (isForKeys(op) ? sharedSession(user) : kith.given.session(user))

let kith: TestApp
let admin: GivenUser
let member: GivenUser
let holders: [Grant, GivenUser][]
let stranger: GivenUser
/** These need what the other has begun, so the same users call both. */
const follows: Partial<Record<OperationName, OperationName>> = { confirmTwoFactor: 'startTwoFactor' }
/** The holder of the grant that the operation names, and of two others; of all others in the long run. */
function holdersFor(name: OperationName, { access }: Operation) {
  const others = grants.filter((grant) => grant !== access)
  const tried: string[] = [access, ...chosen(others, sized(2, others.length), follows[name] ?? name)]
  return holders.filter(([grant]) => tried.includes(grant))
}

beforeAll(async () => {
  kith = await testApp()
  const { given } = kith
  admin = await given.company({ name: 'Canary Ltd', adminName: 'Canary Admin' })
  member = await given.user(admin, { name: 'Canary Member' })
  holders = await Promise.all(
    grants.map(async (grant): Promise<[Grant, GivenUser]> => [grant, await given.user(admin, { grants: [grant] })]),
  )
  stranger = await given.company({ name: 'Elsewhere', adminName: 'Somebody Else' })
  for (const boss of [admin, stranger])
    await kith.withSession(await given.session(boss)).createRole({ name: bareRole, records: memberRights })
})

describe.each(operations)('%s', (name, op) => {
  test('works with every transport', () => {
    const { path, names } = routeOf(op)
    const { shape } = op.input
    expect(path).toMatch(/^(\/(:[a-z_]+|[a-z-]+))+$/)
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(names))
    expect(op.input._zod.def.catchall, 'input must be a strictObject').toBeInstanceOf(z.ZodNever)
    for (const field of Object.keys(shape)) expect(field).toMatch(/^[a-z][a-z0-9_]*$/)
    if (op.effect === 'read') expect(op.http).toMatch(/^(GET|POST)/)
    else expect(op.http, 'no GET changes anything').not.toMatch(/^GET/)
    if (isForOutsiders(op)) expect(op.access).toBe('public')
    else expect({ cors: op.cors, page: op.page, isForm: op.body === 'form' }).toEqual({ isForm: false })
    if (op.body === 'upload') expect({ tool: op.tool, most: op.mostBytes }).toEqual({ most: expect.any(Number) })
    if (!op.tool) return
    for (const [field, schema] of Object.entries(shape)) {
      expect((schema as z.ZodType).description, `agents need a word on ${field}`).toBeTruthy()
    }
  })

  test('is open to exactly those its access names, by session', async () => {
    const { visitor, withSession } = kith
    const statusFor = async (user: GivenUser) => statusOfCall(withSession(await sessionOf(user, op)), name)
    const expected = (allowed: boolean) => (allowed ? (refusals[name] ?? 'ok') : 403)
    const anonymous = op.access === 'public' ? expected(true) : 401
    expect(await statusOfCall(visitor, name), 'anonymous').toBe(anonymous)
    const everyone = isForEveryone(op)
    expect(await statusFor(member), 'member').toBe(expected(isForMembers(op)))
    expect(await statusFor(admin), 'admin').toBe(expected(true))
    for (const [grant, user] of holdersFor(name, op))
      expect(await statusFor(user), `grant ${grant}`).toBe(expected(everyone || op.access === grant))
  })

  test('refuses fields that are not its own', async () => {
    const api = kith.withSession(await sessionOf(admin, op))
    for (const field of ['id', 'company_id', 'role', 'created_by', 'version', 'is_admin']) {
      // A form has no nesting: the names that the operation does not know are its values.
      if (field in op.input.shape || (op.body === 'form' && 'values' in op.input.shape)) continue
      // The channel that a gateway posts to is looked up first, and the sample names none that exists.
      const status = isLink(op) ? (refusals[name] ?? 'ok') : op.body === 'signed' ? 404 : 400
      expect(await statusOfCall(api, name, { ...samples[name](), [field]: randomUUID() }), field).toBe(status)
    }
  })

  test('reveals nothing of another company', async () => {
    const api = kith.withSession(await sessionOf(stranger, op))
    const inputs = [samples[name](), ...withForeignIds(op, samples[name]())]
    for (const input of inputs) {
      const seen = await call(api, name, input).catch((error) => (error as ApiError).problem)
      expect(JSON.stringify(seen)).not.toMatch(/Canary/)
      if (!takesIds.has(name)) expect(JSON.stringify(seen)).not.toContain(admin.company_id)
    }
  })

  /** The same input once per id field, each time with an id of the other company. */
  function* withForeignIds({ input }: Operation, sample: object) {
    for (const field of Object.keys(input.shape)) {
      for (const id of [admin.user_id, admin.company_id]) {
        if (field === 'id' || field.endsWith('_id') || field === 'reassign_to') yield { ...sample, [field]: id }
        if (field === 'ids') yield { ...sample, ids: [id] }
      }
    }
  }
})

describe.each(forKeys)('%s under /api/v1', (name, op) => {
  test('is open to exactly those its access names, by key', async () => {
    const { withKey } = kith
    const expected = refusals[name] ?? 'ok'
    expect(await statusOfCall(withKey(await keyOf(admin)), name)).toBe(expected)
    expect(await statusOfCall(withKey(await keyOf(member)), name)).toBe(isForMembers(op) ? expected : 403)
    expect(await statusOfCall(withKey(await deletedKeyOf(admin)), name)).toBe(401)
    expect(await statusOfCall(withKey('A'.repeat(64)), name)).toBe(401)
    expect(await statusOfCall(withKey(''), name)).toBe(401)
  })

  test('answers the same as in the web app', async () => {
    if (op.effect !== 'read') return
    const earlier = { ...samples[name](), ...('until' in op.input.shape && { until: '2026-06-15T12:00:00Z' }) }
    await kith.requests.flush()
    const doors = [kith.withKey(await keyOf(admin)), kith.withSession(await sharedSession(admin))] as const
    // Reading requests adds to them, so both doors continue from the same one.
    const input = requestLists.includes(name) ? await nextPage(doors[0], name, earlier) : earlier
    const [byKey, bySession] = await Promise.all(doors.map((door) => answerOf(call(door, name, input))))
    // Only one of the two has a key to tell of.
    const withoutKey = (answer: object) => ({ ...answer, api_key: null })
    expect(withoutKey(byKey as object)).toEqual(withoutKey(bySession as object))
  })
})

const replaced = operations.flatMap(([name, op]) => (op.replaces ?? []).map((old) => [name, op, old] as const))

describe('names of the last release', () => {
  const allNames = Object.keys(contract)
  const allRoutes = operations.map(([, { http }]) => http)

  test.each(replaced)('%s replaces others than its own', (_, { input }, { name, http, fields = {} }) => {
    expect(allNames).not.toContain(name)
    expect(allRoutes).not.toContain(http)
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.values(fields)))
    for (const field of Object.keys(fields)) expect(Object.keys(input.shape)).not.toContain(field)
  })

  const routes = replaced.flatMap(([name, op, { http }]) => (http ? [{ name, op, http }] : []))
  test.each(routes)('$http still answers, and says until when', async ({ name, op, http }) => {
    const key = await keyOf(admin)
    let answer: Response | undefined
    const old = createClient({ [name]: { ...op, http } }, '/api/v1', async (path, init) => {
      answer = await kith.send(path, { ...init, headers: { ...init.headers, 'x-api-key': key } })
      return answer
    }) as unknown as Api
    expect(await statusOfCall(old, name)).toBe(await statusOfCall(kith.withKey(key), name))
    expect(answer!.headers.get('deprecation')).toMatch(/^@\d{10}$/)
    expect(Date.parse(answer!.headers.get('sunset')!)).toBeGreaterThan(Date.parse('2026-12-01'))
  })
})

describe('over MCP', async () => {
  const tools = operations.filter(([, op]) => op.tool)
  const post = async (key: string, method: string, params: object = {}) => {
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = await kith.send('/api/v1/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await answer.json()) as {
      result: { tools: { name: string; outputSchema: object }[]; isError?: true; structuredContent: unknown }
    }
  }

  /** Where agents get less unless they ask for it. */
  const asking: Partial<Record<string, object>> = {
    aggregateRecords: { filters: true },
    queryDashboard: { widgets: ['pipeline', 'activity'] },
  }

  test.each(tools)('%s answers the same as over REST', async (name, op) => {
    if (op.effect !== 'read') return
    const key = await keyOf(admin)
    const until = 'until' in op.input.shape && { until: '2026-06-15T12:00:00Z' }
    const input = { ...samples[name](), ...until, ...asking[name] }
    const { result } = await post(key, 'tools/call', { name: toolName(name), arguments: input })
    if (refusals[name]) return expect(result.isError).toBe(true)
    const rest = await call(kith.withKey(key), name, input)
    expect(result.isError).toBeUndefined()
    const expected = leaveOutEmpty(op.output, JSON.parse(JSON.stringify(rest))) as Record<string, unknown>
    expect(result.structuredContent).toEqual(marked(op, expected))
  })

  test(
    'for every role, all transports allow the same operations',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.subarray([...grants]), async (granted) => {
          const user = await kith.given.user(admin, { grants: granted })
          const [key, token] = [await kith.given.key(user), await kith.given.session(user)]
          const listed = (await post(key, 'tools/list')).result.tools.map((tool) => tool.name)
          for (const [name, op] of forKeys) {
            const allowed = isForEveryone(op) || granted.includes(op.access as Grant)
            const transports = [kith.withKey(key), kith.withSession(token)]
            const statuses = await Promise.all(transports.map((one) => statusOfCall(one, name)))
            expect(
              statuses.map((status) => status !== 403),
              name,
            ).toEqual([allowed, allowed])
            if (op.tool) expect(listed.includes(toolName(name)), name).toBe(allowed)
          }
        }),
        { seed, numRuns: runs(2) },
      )
    },
    patience,
  )

  test('for every role, tools/list contains exactly the tools that then succeed', async () => {
    for (const user of [admin, member, ...holders.map(([, user]) => user)]) {
      const key = await keyOf(user)
      const listed = (await post(key, 'tools/list')).result.tools.map((tool) => tool.name)
      for (const [name, op] of tools) {
        const tried = [admin, member, ...holdersFor(name, op).map(([, holder]) => holder)]
        if (!tried.includes(user)) continue
        const allowed = (await statusOfCall(kith.withKey(key), name)) !== 403
        expect(listed.includes(toolName(name)), `${name} of ${user.email}`).toBe(allowed)
      }
    }
  })
})

test('every operation has the access that the table of accesses names', () => {
  expect(Object.fromEntries(operations.map(([name, { access }]) => [name, access]))).toEqual(accesses)
})

test('every route of the two mounts comes from the contract', () => {
  const routes = kith.app.printRoutes({ commonPrefix: false })
  expect(routes).toContain('openapi.json')
  const seen = new Set(operations.map(([, op]) => op.http))
  expect(seen.size, 'no two operations share a route').toBe(operations.length)
})

test('operations for sessions do not exist under /api/v1', async () => {
  const key = await keyOf(admin)
  for (const [, op] of operations.filter(([, op]) => !isForKeys(op))) {
    const { method, path } = routeOf(op)
    const answer = await kith.send(`/api/v1${path}`, { method, headers: { 'x-api-key': key } })
    expect([404, 405]).toContain(answer.status)
  }
})

test('a cookie is ignored under /api/v1', async () => {
  const token = await kith.given.session(admin)
  const answer = await kith.send('/api/v1/me', { headers: { cookie: `kith_session=${token}` } })
  expect(answer.status).toBe(401)
})

describe('the OpenAPI document', () => {
  const document = openapi(contract, version)

  test('describes every shared schema, and none that only refers to itself', () => {
    const { schemas } = document.components as { schemas: Record<string, { $ref?: string }> }
    for (const [name, { $ref }] of Object.entries(schemas)) expect($ref, name).not.toBe(`#/components/schemas/${name}`)
  })

  test('is valid OpenAPI 3.1.0 and describes exactly the operations for keys and for outsiders', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
    const described = Object.values(document.paths).flatMap(
      (entry) => Object.values(entry) as { operationId: string }[],
    )
    const wanted = operations.filter(([, op]) => isForKeys(op) || isForOutsiders(op))
    expect(described.map((entry) => entry.operationId).sort()).toEqual(wanted.map(([name]) => name).sort())
  })

  test('is served without a key, and matches the committed file (npm run generate)', async () => {
    const answer = await kith.send('/api/v1/openapi.json')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)))
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)))
  })
})
