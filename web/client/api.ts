import type { contract } from '../../contract/index.ts'
import {
  type Contract,
  type FileAnswer,
  type Input,
  type Output,
  type PageAnswer,
  routeOf,
  uploadHeader,
} from '../../contract/operation.ts'
import type { Problem } from '../../contract/shared/errors.ts'
import { buildHeader } from '../../contract/shared/pages.ts'
import { type Route, routes } from '../../contract/shared/routes.ts'
import { suspectLoss } from './connection.ts'
import { seeBuild } from './new-version.ts'

/** One method an operation; files leave and arrive as blobs. */
export type Client<C extends Contract> = {
  [K in keyof C]: (
    input: Input<C[K]> & (C[K] extends { body?: 'upload' } ? { file: Blob } : unknown),
    options?: { signal?: AbortSignal },
  ) => Promise<Output<C[K]> extends FileAnswer ? Blob : Output<C[K]> extends PageAnswer ? string : Output<C[K]>>
}
export type Send = (path: string, init: RequestInit) => Promise<Response>

/** A refusal by the server, or a failure to reach it. `problem` says what to do next. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly problem: Problem
  readonly retryAfter: number | undefined
  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail)
    this.problem = problem
    this.retryAfter = retryAfter
  }
  /** Not a refusal: the server, or something it depends on, could not be reached. */
  get isAway() {
    return [0, 502, 503, 504].includes(this.problem.status)
  }
}

/** One typed method for every operation of the contract. Those for outsiders have a mount of their own. */
export function createClient<C extends Contract>(
  routes: Record<keyof C & string, Route>,
  mount: '/app/api' | '/api/v1',
  send: Send,
): Client<C> {
  const methods = Object.entries<Route>(routes).map(([name, op]) => {
    const { method, path, names, hasBody } = routeOf(op)
    const call = async (input: Record<string, unknown>, { signal }: { signal?: AbortSignal } = {}) => {
      const { file, ...rest } = input
      const prefix = op.mount === 'public' ? '/public' : mount
      const filled = prefix + path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(input[key])))
      for (const key of names) delete rest[key]
      const query = hasBody ? '' : queryString(rest)
      const init: RequestInit = { method, ...(signal && { signal }) }
      if (method !== 'GET') init.headers = { 'content-type': 'application/json' }
      if (hasBody) init.body = JSON.stringify(rest)
      if (op.body === 'form') {
        init.body = new URLSearchParams(rest as Record<string, string>)
        init.headers = { 'content-type': 'application/x-www-form-urlencoded' }
      }
      if (op.body === 'upload') {
        init.body = file as Blob
        init.headers = { 'content-type': init.body.type || 'application/octet-stream', [uploadHeader]: '1' }
      }
      const response = await send(filled + query, init)
      if (!response.ok) return read(response)
      return op.file ? response.blob() : op.page ? response.text() : read(response)
    }
    return [name, call]
  })
  return Object.fromEntries(methods) as Client<C>
}

function queryString(values: Record<string, unknown>) {
  const given = Object.entries(values).flatMap(([key, value]) => [value].flat().map((one) => [key, one] as const))
  const pairs = given.filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)])
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}

async function read(response: Response) {
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const problem = (body as Problem | null) ?? unreadable(response)
  throw new ApiError(problem, Number(response.headers.get('retry-after')) || undefined)
}

const unreadable = (response: Response): Problem => ({
  type: 'about:blank',
  title: 'Unexpected response',
  status: response.status,
  detail: 'The server sent an unexpected response. Try again shortly.',
  code: 'unavailable',
  request_id: response.headers.get('x-request-id') ?? '',
})

const unreachable: Problem = {
  type: 'about:blank',
  title: 'Offline',
  status: 0,
  detail: 'The server cannot be reached. Check your connection and try again.',
  code: 'unavailable',
  request_id: '',
}

export const notReached = () => new ApiError(unreachable)
/** A request without an answer would wait forever, and with it what comes after. Uploads take as long as they take. */
const mostMs = 30_000

/** The answer, with all of it if it is JSON: files arrive at their own pace. Nothing if it takes longer than that. */
export async function fetchIn(ms: number, path: string, { signal, ...init }: RequestInit) {
  const late = new AbortController()
  const timer = init.body instanceof Blob ? undefined : setTimeout(() => late.abort(), ms)
  try {
    const answer = await fetch(path, { ...init, signal: AbortSignal.any([late.signal, signal ?? []].flat()) })
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return isJson ? new Response(await answer.text(), answer) : answer
  } catch {
    signal?.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

let onSignedOut = () => {}
/** Called when any call is rejected because the session has ended. */
export const hearSignedOut = (tell: () => void) => {
  onSignedOut = tell
}

/** The web app's own client: the session cookie travels by itself. */
export const api = createClient<typeof contract>(routes, '/app/api', async (path, init) => {
  const answer = await fetchIn(mostMs, path, init)
  if (!answer || [502, 503, 504].includes(answer.status)) suspectLoss()
  if (!answer) throw notReached()
  if (answer.status === 401) onSignedOut()
  seeBuild(answer.headers.get(buildHeader))
  return answer
})
