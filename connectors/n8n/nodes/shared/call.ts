import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type ILoadOptionsFunctions,
  type JsonObject,
  NodeApiError,
  sleep,
} from 'n8n-workflow'
import { type Input, type Operation, requestOf, secondsUntilRetry } from '../../kith/requests.ts'
import type { Schema } from '../../kith/schema.ts'

export type Caller = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions
type Answer = { statusCode: number; headers: IDataObject; body: unknown }
type Problem = { title?: string; detail?: string; code?: string; errors?: { path: string; message: string }[] }
type Options = { itemIndex?: number; idempotencyKey?: string }

/** Calls an operation of Kith, waits if Kith is busy, and reports errors in Kith's own words. */
export async function call<T = IDataObject>(
  caller: Caller,
  operation: Operation,
  input: Input = {},
  options: Options = {},
): Promise<T> {
  const answer = await ask(caller, operation, input, options)
  if (answer.statusCode < 400) return answer.body as T
  throw problemOf(caller, answer, options)
}

/** As `call`, but undefined if there is no such thing. */
export async function find<T>(caller: Caller, operation: Operation, input: Input): Promise<T | undefined> {
  const answer = await ask(caller, operation, input, {})
  if (answer.statusCode === 404) return undefined
  if (answer.statusCode < 400) return answer.body as T
  throw problemOf(caller, answer, {})
}

export async function addressOf(caller: Caller): Promise<string> {
  const { url } = await caller.getCredentials<{ url: string }>('kithApi')
  return url.replace(/\/+$/, '')
}

export const schemaOf = (caller: Caller, objects?: string[]) =>
  call<Schema>(caller, 'describeSchema', { objects: objects?.join(',') })

async function ask(caller: Caller, operation: Operation, input: Input, { idempotencyKey }: Options): Promise<Answer> {
  const { method, path, query, body } = requestOf(operation, input)
  const request = {
    method,
    url: (await addressOf(caller)) + path,
    qs: query,
    body,
    json: true,
    headers: { 'user-agent': 'n8n-nodes-kith', ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  }
  for (let attempt = 1; ; attempt++) {
    const answer: Answer = await caller.helpers.httpRequestWithAuthentication.call(caller, 'kithApi', request)
    const seconds = secondsUntilRetry(answer.statusCode, answer.headers['retry-after'], attempt)
    if (seconds === undefined) return answer
    await sleep(seconds * 1000)
  }
}

function problemOf(caller: Caller, { statusCode, body }: Answer, { itemIndex }: Options) {
  const problem: Problem = typeof body === 'object' && body !== null ? body : {}
  const message = problem.detail ?? problem.title ?? 'Kith was not found at this URL'
  const description = (problem.errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('\n')
  return new NodeApiError(caller.getNode(), problem as JsonObject, {
    message,
    description,
    httpCode: String(statusCode),
    itemIndex,
  })
}
