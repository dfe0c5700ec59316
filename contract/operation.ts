import * as z from 'zod'
import type { Access } from './access.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a call does to the company's data. Decides the transaction, the hints for agents and read-only mode. */
export type Effect = 'read' | 'add' | 'change' | 'destroy'

/** One thing the product can do. REST, OpenAPI, MCP, the web client and the tests are all derived from this. */
export type Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  summary: string
  http: `${Method} /${string}`
  access: Access
  effect: Effect
  input: In
  output: Out
  /** HTTP status on success. Default: 201 for `add`, 200 for the rest. */
  status?: number
  /** Allows bodies of 1 MiB instead of 256 KiB. Rare, because parsing a large body blocks all other requests. */
  largeBody?: true
  /** The answer contains a secret. It is never stored, so the call takes no idempotency key. */
  secret?: true
  /** Only for people signed in to the web app, whatever `access` says: API keys must never do this. */
  webOnly?: true
  /** The answer is a file of this media type instead of JSON; see `FileAnswer`. */
  file?: string
  /** Sends something to the outside world, such as an e-mail. */
  openWorld?: true
  /** Set to offer this operation to agents as a tool. Says when to use it. */
  tool?: string
}

export type Contract = Record<string, Operation>
export type Input<O extends Operation> = z.input<O['input']>
export type Parsed<O extends Operation> = z.output<O['input']>
export type Output<O extends Operation> = z.output<O['output']>

/** Checks the shape of an operation and keeps its exact types. */
export const operation = <In extends z.ZodObject, Out extends z.ZodType>(o: Operation<In, Out>) => o

export const statusOf = (op: Operation) => op.status ?? (op.effect === 'add' ? 201 : 200)

/** Splits `PATCH /users/:id` into its method, path and parameter names. */
export function routeOf(op: Pick<Operation, 'http'>) {
  const [method, path] = op.http.split(' ') as [Method, string]
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  return { method, path, names, hasBody: method !== 'GET' && method !== 'DELETE' }
}

export const isForKeys = (op: Operation) => op.access !== 'public' && !op.webOnly

/** What the handler of an operation with `file` returns. Long content can be streamed. */
export type FileAnswer = { name: string; type: string; content: Uint8Array | AsyncIterable<Uint8Array> }
export const fileAnswer = z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null)
