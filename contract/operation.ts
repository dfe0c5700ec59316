import * as z from 'zod'
import type { Access, BuiltInObject, RecordAccess } from './shared/access.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a call does to the company's data. Decides the transaction, the hints for agents and read-only mode. */
export type Effect = 'read' | 'add' | 'change' | 'destroy'

/** The format of a request's input; see `Operation.body`. */
export type BodyKind = 'json' | 'upload' | 'form' | 'signed'

/**
 * How the last minor release called an operation. It works until the next minor release, with `Deprecation` and `Sunset`
 * headers, but is neither listed nor described.
 */
export type Replaced = {
  /** Its name, if it had another, as in stored requests. Agents may still call the tool. */
  name?: string
  /** Its route, if it had another. */
  http?: `${Method} /${string}`
  /** Renamed inputs: old name to new name. */
  fields?: Record<string, string>
}

/** One thing the product can do. REST, OpenAPI, MCP, the web client and the tests are all derived from this. */
export type Operation<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Body extends BodyKind = BodyKind,
> = {
  summary: string
  http: `${Method} /${string}`
  replaces?: Replaced[]
  access: Access
  /** The object that `access` is about, if it is always the same. Agents without this right do not see the tool. */
  on?: BuiltInObject
  /** What is needed on the same object besides `access`. The operation itself refuses who lacks it. */
  also?: RecordAccess[]
  effect: Effect
  input: In
  output: Out
  /** HTTP status on success. Default: 201 for `add`, 200 for the rest. */
  status?: number
  /**
   * Default: json. upload: the body is the content of one file, streamed, and the input is in the query.
   * form: the body is an HTML form. signed: the handler gets the raw bytes, because it verifies a signature
   * over them before it reads them as `signedBody`; the input is in the path and the query.
   */
  body?: Body
  /** What a signed body contains. */
  signedBody?: z.ZodObject
  /** public: for outsiders. Mounted only under /public, where no cookie or key counts. */
  mount?: 'public'
  /**
   * Under /public: which pages of other sites may call it and read the response. listed: those that the handler allows,
   * see `Visit`.
   */
  cors?: 'any' | 'listed'
  /** The answer is a page for people, not JSON: see `PageAnswer`. */
  page?: true
  /** Long polling. A separate limit applies to the number of open requests. */
  waits?: true
  /** Maximum size of an upload, in bytes. */
  mostBytes?: number
  /** Allows bodies of 1 MiB instead of 256 KiB. Rare, because parsing a large body blocks all other requests. */
  largeBody?: true
  /** The answer contains a secret. It is never stored, so the call takes no idempotency key. */
  secret?: true
  /** Only for people signed in to the web app, regardless of `access`: API keys must never do this. */
  webOnly?: true
  /** The answer is a file of this media type instead of JSON; see `FileAnswer`. */
  file?: string
  /** Sends something to the outside world, such as an email. */
  openWorld?: true
  /** Set to offer this operation to agents as a tool. Says when to use it. */
  tool?: string
  /** Keys of the answer, at any depth, that may contain text from outsiders. Answers to agents list them first. */
  untrusted?: string[]
}

export type Contract = Record<string, Operation>
export type Input<O extends Operation> = z.input<O['input']>
export type Parsed<O extends Operation> = z.output<O['input']>
export type Output<O extends Operation> = z.output<O['output']>

/** Keeps each operation's exact types while checking its form. */
export const operation = <In extends z.ZodObject, Out extends z.ZodType, Body extends BodyKind = 'json'>(
  o: Operation<In, Out, Body>,
) => o

export const statusOf = (op: Operation) => op.status ?? (op.effect === 'add' ? 201 : 200)

/** Splits `PATCH /users/:id` into its method, its path and the names in it. */
export function routeOf(op: Pick<Operation, 'http' | 'body'>) {
  const [method, path] = op.http.split(' ') as [Method, string]
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  /** Whether the input is in the body. The body of an upload is its file. */
  const hasBody = method !== 'GET' && method !== 'DELETE' && op.body !== 'upload' && op.body !== 'signed'
  return { method, path, names, hasBody }
}

export const isForOutsiders = (op: Operation) => op.mount === 'public'
export const isForKeys = (op: Operation) => op.access !== 'public' && !op.webOnly && !isForOutsiders(op)

/** Reads change nothing, and keys belong to users. */
export const takesIdempotencyKey = (op: Operation) =>
  op.effect !== 'read' && op.body !== 'upload' && !op.secret && !isForOutsiders(op)

/** A header that uploads from the web app need, because pages of other sites cannot send it. */
export const uploadHeader = 'x-kith-upload'

/** What a handler of an operation with `file` returns. Long content is streamed. */
export type FileAnswer = {
  name: string
  type: string
  content: Uint8Array | AsyncIterable<Uint8Array>
  /** In bytes, if known. */
  size?: number
  /** Shown by the browser instead of saved; for pictures. */
  isShown?: true
  /** The content security policy of a page that is shown in a frame, with the frame-ancestors it needs. */
  policy?: string
  /** Anyone may keep it for this long. */
  cacheSeconds?: number
}
export const fileAnswer = z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null)

/** What a handler of an operation with `page` returns. `html` is the body, with all values escaped. */
export type PageAnswer = {
  title: string
  html: string
  language?: string
  /** Sites that may embed the page. */
  frameAncestors?: string[]
  /** Other sites that its form may redirect to. */
  formTargets?: string[]
  /** The path of an additional stylesheet. */
  styles?: string
  /** The path of a script. */
  script?: string
  /** Redirects to this URL instead. */
  redirect?: string
}
export const pageAnswer = z.custom<PageAnswer>((value) => typeof value === 'object' && value !== null)

/** Links that people open, with the parameters that advertisers and networks add. Unknown ones are ignored. */
export const isLink = ({ mount, effect, page, file }: Operation) =>
  mount === 'public' && effect === 'read' && Boolean(page || file)
