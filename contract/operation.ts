import * as z from 'zod'
import type { Access } from './access.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a call does to the company's data. It decides the transaction, the hints for agents and read-only mode. */
export type Effect = 'read' | 'add' | 'change' | 'destroy'

/** One thing the product can do. REST, OpenAPI, MCP, the web client and the tests are all read from this. */
export type Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = {
  summary: string
  http: `${Method} /${string}`
  access: Access
  effect: Effect
  input: In
  output: Out
  /** HTTP status of success; otherwise 201 for `add`, 200 for the rest. */
  status?: number
  /** Takes bodies of up to a megabyte, others of a quarter of one: to read them holds up everybody else. */
  largeBody?: true
  /** The answer holds a secret: it is never stored, so the call takes no idempotency key. */
  secret?: true
  /** For a person signed in to the web app only, whatever the access says: a key must never do this. */
  webOnly?: true
  /** The answer is a file of this media type, not JSON: see `FileAnswer`. */
  file?: string
  /** Something leaves the house: a message, a delivery. */
  openWorld?: true
  /** Set to offer this operation to agents; says when to use it. */
  tool?: string
}

export type Contract = Record<string, Operation>
export type Input<O extends Operation> = z.input<O['input']>
export type Parsed<O extends Operation> = z.output<O['input']>
export type Output<O extends Operation> = z.output<O['output']>

/** Keeps each operation's exact types while checking its form. */
export const operation = <In extends z.ZodObject, Out extends z.ZodType>(o: Operation<In, Out>) => o

export const statusOf = (op: Operation) => op.status ?? (op.effect === 'add' ? 201 : 200)

/** Splits `PATCH /users/:id` into its method, its path and the names in it. */
export function routeOf(op: Pick<Operation, 'http'>) {
  const [method, path] = op.http.split(' ') as [Method, string]
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  return { method, path, names, hasBody: method !== 'GET' && method !== 'DELETE' }
}

export const isForKeys = (op: Operation) => op.access !== 'public' && !op.webOnly

/** What a handler of an operation with `file` returns. The content may be long, so it may come in pieces. */
export type FileAnswer = { name: string; type: string; content: Uint8Array | AsyncIterable<Uint8Array> }
export const fileAnswer = z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null)
