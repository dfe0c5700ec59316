// What programs usually do, written once and put into the words of each generated client.
type Call = { name: string; method: string; path: string; in?: string; query?: string; body?: string; check: string }

/** Each call is `const NAME = …`, which later ones and its check use. Values are TypeScript. */
export const calls: Record<string, Call> = {
  company: { name: 'getCompany', method: 'GET', path: '/api/v1/company', check: `company.name === 'Acme'` },
  schema: {
    name: 'describeSchema',
    method: 'GET',
    path: '/api/v1/schema',
    query: `{ objects: ['people'] }`,
    check: `schema.objects[0]!.key === 'people'`,
  },
  made: {
    name: 'createRecords',
    method: 'POST',
    path: '/api/v1/records/{object}',
    in: `{ object: 'people' }`,
    body: `{ records: [{ first_name: 'Ada', emails: [email] }, { first_name: 'Bob', city: 'Rome' }] }`,
    check: 'made.records.length === 2',
  },
  one: {
    name: 'getRecord',
    method: 'GET',
    path: '/api/v1/records/{object}/{id}',
    in: `{ object: 'people', id: made.records[0]!.id }`,
    check: `one.title === 'Ada'`,
  },
  listed: {
    name: 'listRecords',
    method: 'GET',
    path: '/api/v1/records/{object}',
    in: `{ object: 'people' }`,
    query: `{ limit: 5, sort: ['-created_at'] }`,
    check: 'listed.records.length > 1',
  },
  byText: {
    name: 'queryRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/query',
    in: `{ object: 'people' }`,
    body: `{ filter: 'city = "Rome"' }`,
    check: 'byText.records.length > 0',
  },
  byJson: {
    name: 'queryRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/query',
    in: `{ object: 'people' }`,
    body: `{ filter: { and: [{ field: 'emails', op: 'eq', value: email }, { not: { search: 'nobody' } }] } }`,
    check: 'byJson.records.length === 1',
  },
  byList: {
    name: 'queryRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/query',
    in: `{ object: 'people' }`,
    body: `{ filter: [{ field: 'city', op: 'in', value: ['Rome', 'Oslo'] }, { field: 'created_at', op: 'gt', value: { relative: '-1d' } }] }`,
    check: 'byList.records.length > 0',
  },
  changed: {
    name: 'updateRecords',
    method: 'PATCH',
    path: '/api/v1/records/{object}',
    in: `{ object: 'people' }`,
    body: `{ records: [{ id: made.records[0]!.id, values: { city: 'London' } }] }`,
    check: 'changed.records?.length === 1',
  },
  changedBy: {
    name: 'updateRecords',
    method: 'PATCH',
    path: '/api/v1/records/{object}',
    in: `{ object: 'people' }`,
    body: `{ filter: { field: 'emails', op: 'eq', value: email }, values: { city: 'Paris' }, dry_run: true }`,
    check: 'changedBy.matched === 1',
  },
  known: {
    name: 'upsertRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/upsert',
    in: `{ object: 'people' }`,
    body: `{ match_on: 'emails', records: [{ emails: [email], city: 'Madrid' }] }`,
    check: 'known.records.length === 1',
  },
  figures: {
    name: 'aggregateRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/aggregation',
    in: `{ object: 'people' }`,
    body: `{ filter: { or: [{ field: 'city', op: 'eq', value: 'Rome' }] }, measures: ['count'], group_by: ['city'] }`,
    check: 'figures.groups.length > 0',
  },
  found: {
    name: 'searchRecords',
    method: 'GET',
    path: '/api/v1/search',
    query: `{ q: 'Ada' }`,
    check: 'found.items.length > 0',
  },
  note: {
    name: 'createRecords',
    method: 'POST',
    path: '/api/v1/records/{object}',
    in: `{ object: 'notes' }`,
    body: `{ records: [{ body: 'Called', about: [made.records[0]!.id] }] }`,
    check: 'note.records.length === 1',
  },
  timeline: {
    name: 'getTimeline',
    method: 'GET',
    path: '/api/v1/records/{object}/{id}/timeline',
    in: `{ object: 'people', id: made.records[0]!.id }`,
    check: 'timeline.items.length > 0',
  },
  view: {
    name: 'createView',
    method: 'POST',
    path: '/api/v1/views',
    body: `{ object: 'people', name: 'In Rome', filter: 'city = "Rome"' }`,
    check: `view.name === 'In Rome'`,
  },
  widget: {
    name: 'previewWidget',
    method: 'POST',
    path: '/api/v1/dashboards/preview',
    body: `{ widget: { id: 'people', type: 'number', object: 'people' } }`,
    check: 'Number(widget.total?.values.count) > 1',
  },
  deleted: {
    name: 'deleteRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/deletion',
    in: `{ object: 'people' }`,
    body: `{ filter: { field: 'emails', op: 'eq', value: email } }`,
    check: 'deleted.matched === 1',
  },
  restored: {
    name: 'restoreRecords',
    method: 'POST',
    path: '/api/v1/records/{object}/restoration',
    in: `{ object: 'people' }`,
    body: `{ ids: [made.records[0]!.id] }`,
    check: 'restored.records.length === 1',
  },
  changes: {
    name: 'listChanges',
    method: 'GET',
    path: '/api/v1/changes',
    query: `{ since: '-1h', limit: 5 }`,
    check: 'changes.items.length > 0',
  },
  source: {
    name: 'createLeadSource',
    method: 'POST',
    path: '/api/v1/lead-sources',
    body: `{ name: 'Website' }`,
    check: 'source.form_id.length > 0',
  },
  lead: {
    name: 'submitLead',
    method: 'POST',
    path: '/api/v1/lead-sources/{id}/submissions',
    in: '{ id: source.id }',
    body: `{ values: { email } }`,
    check: `lead.via === 'api'`,
  },
}

const common = `
const email = \`ada-\${crypto.randomUUID()}@example.com\`
function given<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
function check(name: string, is: boolean) {
  if (!is) throw new Error(name)
  console.log(name)
}
`
const program = (start: string, callOf: (call: Call) => string) => `${start}
${common}
async function main() {
${Object.entries(calls)
  .map(([name, call]) => `  const ${name} = given(await ${callOf(call)})\n  check('${name}', ${call.check})`)
  .join('\n')}
}
main()
`
const options = (parts: Record<string, string | undefined>) =>
  Object.entries(parts).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))

export const openapiFetch = program(
  `import createClient from 'openapi-fetch'
import type { paths } from './schema'
const client = createClient<paths>({ baseUrl: process.env.KITH_URL!, headers: { 'x-api-key': process.env.KITH_KEY! } })`,
  ({ method, path, in: inPath, query, body }) => {
    const params = options({ path: inPath, query }).join(', ')
    const given = options({ params: params && `{ ${params} }`, body })
    return `client.${method}('${path}', { ${given.join(', ')} })`
  },
)

export const heyApi = program(
  `import * as sdk from './hey-api'
import { client } from './hey-api/client.gen'
client.setConfig({ baseUrl: process.env.KITH_URL!, headers: { 'x-api-key': process.env.KITH_KEY! } })`,
  ({ name, in: path, query, body }) => `sdk.${name}({ ${options({ path, query, body }).join(', ')} })`,
)
