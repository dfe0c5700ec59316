import * as z from 'zod'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing, page, pageOf } from './shared/shapes.ts'

export const keyName = nameOf('Enter the name of the client that will use this key')

/** A client that used a key, under the name it reports. */
export const KeyClient = z.strictObject({ name: z.string(), last_used_at: moment })

export const ApiKey = z
  .strictObject({
    id,
    name: z.string(),
    prefix: z.string().describe('The first four characters, to identify the key'),
    created_at: moment,
    last_used_at: moment.nullable(),
    last_client: z.string().nullable(),
    last_ip: z.string().nullable(),
    calls_7_days: z.int(),
    recent_clients: z.array(KeyClient).describe('Clients that used the key in the last 24 hours'),
    replaces_id: id.nullable().describe('The key this one will replace'),
  })
  .meta({ id: 'ApiKey' })

/** A key as shown to people who manage members: with its owner, never with its value. */
export const CompanyApiKey = ApiKey.extend({ user_id: id, user_name: z.string() }).meta({ id: 'CompanyApiKey' })

export const mostKeys = 100

// Web app only: an API key can never create, list or delete keys.
export const apiKeys = {
  listApiKeys: operation({
    summary: 'List your API keys, newest first',
    http: 'GET /api-keys',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(ApiKey) }),
  }),
  createApiKey: operation({
    summary: 'Create an API key; its value is shown once',
    http: 'POST /api-keys',
    access: 'member',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({
      name: keyName,
      replaces_id: id.optional().describe('The key this one will replace'),
    }),
    output: z.strictObject({ key: ApiKey, value: z.string().length(64) }),
  }),
  updateApiKey: operation({
    summary: 'Rename an API key',
    http: 'PATCH /api-keys/:id',
    replaces: [{ name: 'renameApiKey' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ id, name: keyName }),
    output: ApiKey,
  }),
  deleteApiKeys: operation({
    summary: 'Delete API keys; they stop working immediately',
    http: 'POST /api-keys/deletion',
    access: 'member',
    webOnly: true,
    effect: 'destroy',
    input: z.strictObject({ ids: z.array(id).min(1, 'Select at least one key').max(mostKeys) }),
    output: nothing,
  }),
  listCompanyApiKeys: operation({
    summary: 'List all API keys in the company, newest first',
    http: 'GET /company/api-keys',
    access: 'members.manage',
    webOnly: true,
    effect: 'read',
    input: z.strictObject({ user_id: id.optional().describe('Only keys of this user'), ...page }),
    output: pageOf(CompanyApiKey),
  }),
  createAgentApiKey: operation({
    summary: 'Create an API key for an agent; its value is shown once',
    http: 'POST /users/:id/api-keys',
    access: 'members.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({ id: id.describe('User ID'), name: keyName }),
    output: z.strictObject({ key: ApiKey, value: z.string().length(64) }),
  }),
  deleteCompanyApiKeys: operation({
    summary: "Delete anyone's API keys; they stop working immediately",
    http: 'POST /company/api-keys/deletion',
    access: 'members.manage',
    webOnly: true,
    effect: 'destroy',
    input: z.strictObject({ ids: z.array(id).min(1, 'Select at least one key').max(mostKeys) }),
    output: nothing,
  }),
}
