// The requests of the records benchmark: via REST, via MCP, and to the ceiling.
import type { Request } from './load.ts'
import { rare } from './records-people.ts'

export type Place = { key: string; ids: string[]; ours: { port: number }; ceiling: { port: number } }
type Question = { name: string; filter?: string; sort?: string[]; limit: number; ceiling: string }

const questions = (limit: number): Question[] => [
  {
    name: `list ${limit}, active and score > 50`,
    filter: 'status = active and score > 50',
    limit,
    ceiling: `active?above=50&limit=${limit}`,
  },
  {
    name: 'rare match by last name',
    filter: `last_name = ${rare.last_name}`,
    limit,
    ceiling: `named?last_name=${rare.last_name}&limit=${limit}`,
  },
  {
    name: 'rare match by number',
    filter: `visits = ${rare.visits}`,
    limit,
    ceiling: `visited?times=${rare.visits}&limit=${limit}`,
  },
  { name: `sort ${limit} by a custom number`, sort: ['-visits'], limit, ceiling: `most-visits?limit=${limit}` },
]

type Source = () => Request
export type Read = { name: string; ours: Source; ceiling: Source; rest: Source; mcp: Source }

/** Each read via REST and from the ceiling, and as a pair of REST and MCP calls for the same 20 rows. */
export function readsOf(place: Place): Read[] {
  const { ids } = place
  let turn = 0
  const id = () => ids[turn++ % ids.length]!
  const get: Read = {
    name: 'get by id',
    ours: () => rest(place, 'GET', `/records/people/${id()}`),
    ceiling: () => byHand(place, id()),
    rest: () => rest(place, 'POST', '/records/people/lookup', { ids: [id()] }),
    mcp: () => tool(place, 'get_records', { object: 'people', ids: [id()] }),
  }
  const few = questions(20)
  const lists = questions(50).map((question, i): Read => {
    const { name: _, ceiling: __, ...asked } = few[i]!
    const fixed = {
      ours: rest(place, 'GET', `/records/people?${queryOf(question)}`),
      ceiling: byHand(place, question.ceiling),
      rest: rest(place, 'POST', '/records/people/query', asked),
      mcp: tool(place, 'query_records', { object: 'people', ...asked }),
    }
    const { ours, ceiling, rest: same, mcp } = fixed
    return { name: question.name, ours: () => ours, ceiling: () => ceiling, rest: () => same, mcp: () => mcp }
  })
  return [get, ...lists]
}

function queryOf({ filter, sort, limit }: Question) {
  const query = new URLSearchParams({ limit: String(limit), ...(filter && { filter }) })
  for (const one of sort ?? []) query.append('sort', one)
  return query
}

const json = { 'content-type': 'application/json' }

type OurPlace = Pick<Place, 'key' | 'ours'>

export function rest({ ours, key }: OurPlace, method: string, path: string, body?: unknown): Request {
  const headers = { 'x-api-key': key, ...(body !== undefined && json) }
  return { port: ours.port, method, path: `/api/v1${path}`, headers, ...(body !== undefined && bodyOf(body)) }
}

export function byHand({ ceiling, key }: Place, what: string, body?: unknown): Request {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = { 'x-api-key': key, ...(body !== undefined && json) }
  return { port: ceiling.port, method, path: `/people/${what}`, headers, ...(body !== undefined && bodyOf(body)) }
}

const version = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }

export function tool({ ours, key }: OurPlace, name: string, args: object): Request {
  const headers = {
    'x-api-key': key,
    ...json,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const params = { name, arguments: args, _meta: meta }
  const body = bodyOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return { port: ours.port, method: 'POST', path: '/api/v1/mcp', headers, ...body }
}

const bodyOf = (body: unknown) => ({ body: JSON.stringify(body) })

/** Returns the whole record, as the ceiling does. */
export const createsOf = (place: Place) => ({
  ours: () => rest(place, 'POST', '/records/people', { records: [newPerson()], return: 'record' }),
  ceiling: () => byHand(place, '', { records: [newPerson()] }),
  mcp: () => tool(place, 'create_records', { object: 'people', records: [newPerson()], return: 'record' }),
})

const began = Date.now().toString(36)
let made = 0
export function newPerson() {
  made++
  return {
    first_name: 'Ada',
    last_name: 'Lovelace',
    emails: [`ada.${began}.${made}@mail.example`],
    phones: [`+4930${String(made).padStart(8, '0')}`],
    job_title: 'Head of operations',
    status: 'active',
    score: made % 101,
    city: 'Berlin',
    country: 'DE',
    source: 'Website',
    consent: true,
    visits: made % 1000,
  }
}
