import { contract, type OperationName } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import type { Caller } from '../../kernel/context.ts'
import type { Run } from '../../kernel/run.ts'
import type { ApiInParts } from './api-in-parts.ts'
import type { Call, Resource, Template } from './catalog.ts'
import { textFor } from './tools.ts'

const json = (uri: string, text: string) => [{ uri, mimeType: 'application/json', text }]
/** The same text as the answer of a tool. */
const answerOf = async (run: Run, operation: OperationName, caller: Caller, input: object) =>
  textFor(operation, contract[operation], await run(operation, caller, input))

const listing = (name: string, title: string, description: string, mimeType = 'application/json') => ({
  uri: `crm://${name}`,
  name,
  title,
  description,
  mimeType,
})

export function resourcesOf(run: Run, { api, filterSyntax }: { api: ApiInParts; filterSyntax: string }): Resource[] {
  return [
    {
      listing: listing('me', 'Current user', 'Your user, role, company and permissions'),
      access: 'member',
      read: async ({ caller }) => json('crm://me', await answerOf(run, 'whoami', caller, {})),
    },
    {
      listing: listing('schema', 'Objects and fields', 'Every object you may read, with its fields and options'),
      access: 'records.read',
      read: async ({ caller }) => json('crm://schema', await answerOf(run, 'describeSchema', caller, {})),
    },
    {
      listing: listing(
        'filter-syntax',
        'The filter language',
        'Grammar, operators and rules by example',
        'text/markdown',
      ),
      access: 'records.read',
      read: async () => [{ uri: 'crm://filter-syntax', mimeType: 'text/markdown', text: filterSyntax }],
    },
    {
      listing: listing('openapi', 'REST operations', 'Names and routes; crm://openapi/{operation} describes one'),
      access: 'member',
      read: async () => json('crm://openapi', api.index()),
    },
  ]
}

const recordUri = /^crm:\/\/([a-z][a-z0-9_]{0,62})\/([0-9a-f-]{36})(\/timeline)?$/

const operationUri = /^crm:\/\/openapi\/([A-Za-z]{1,100})$/

export function templatesOf(run: Run, api: ApiInParts): Template[] {
  const complete = (argument: string, value: string, call: Call) => completeRecord(run, argument, value, call)
  const template = (uriTemplate: string, name: string, title: string, description: string) => ({
    listing: { uriTemplate, name, title, description, mimeType: 'application/json' },
    access: 'records.read' as const,
    complete,
  })
  return [
    {
      ...template('crm://{object}/{id}', 'record', 'A record', 'One record with all its fields'),
      async read(uri, { caller }) {
        const [, object, id, timeline] = recordUri.exec(uri) ?? []
        if (!object || timeline) return undefined
        return json(uri, await answerOf(run, 'getRecord', caller, { object, id }))
      },
    },
    {
      ...template(
        'crm://{object}/{id}/timeline',
        'timeline',
        'The history of a record',
        'Changes to the record, newest first',
      ),
      async read(uri, { caller }) {
        const [, object, id, timeline] = recordUri.exec(uri) ?? []
        if (!object || !timeline) return undefined
        await run('getRecord', caller, { object, id, fields: ['title'] })
        return json(uri, await answerOf(run, 'listChanges', caller, { record_id: id, limit: 100 }))
      },
    },
    {
      ...template('crm://openapi/{operation}', 'operation', 'A REST operation', 'Its input, output and errors'),
      access: 'member',
      async complete(_argument, value) {
        return api.names().filter((name) => name.toLowerCase().startsWith(value.toLowerCase()))
      },
      async read(uri) {
        const [, name] = operationUri.exec(uri) ?? []
        const text = name && api.operation(name)
        return text ? json(uri, text) : undefined
      },
    },
  ]
}

/** Completes objects by key and records by title, limited to what the caller may read. */
async function completeRecord(run: Run, argument: string, value: string, { caller, params }: Call) {
  if (argument === 'object') {
    const { objects } = (await run('describeSchema', caller, {})) as Output<typeof contract.describeSchema>
    return objects.map((object) => object.key).filter((key) => key.startsWith(value.toLowerCase()))
  }
  const chosen = (params.context as { arguments?: { object?: string } } | undefined)?.arguments?.object
  if (argument !== 'id' || !chosen) return []
  const filter = value ? `title ~ ${JSON.stringify(value.slice(0, 100))}` : undefined
  const question = { object: chosen, filter, fields: ['title'], limit: 100 }
  const { records } = (await run('listRecords', caller, question)) as Output<typeof contract.listRecords>
  return records.map((record) => record.id)
}
