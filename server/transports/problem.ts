import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Problem } from '../../contract/shared/errors.ts'
import { AppError } from '../kernel/app-error.ts'
import { escapeHtml } from '../kernel/html.ts'
import { plainPage } from './not-found.ts'

export function problemOf(error: AppError, request_id: string): Problem {
  const { status, title } = errors[error.code]
  return {
    type: `urn:kith:error:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id,
    ...(error.more.errors && { errors: error.more.errors }),
  }
}

/** Whether a person opened a page, as opposed to a program that calls the API. */
const isForPerson = ({ url, headers, method }: FastifyRequest) =>
  (method === 'GET' || url.startsWith('/public/')) &&
  !/^\/(api|app)\//.test(url) &&
  (headers.accept ?? '').includes('text/html')

/** Responds with a problem (RFC 9457), or with a page if a person reads it. */
export function sendProblem(reply: FastifyReply, error: AppError) {
  reply.request.errorCode = error.code
  if (error.more.retryAfter !== undefined) reply.header('retry-after', String(error.more.retryAfter))
  if (error.code === 'unauthenticated' && reply.request.url.startsWith('/api/'))
    reply.header('www-authenticate', 'ApiKey realm="kith"')
  if (isForPerson(reply.request)) {
    return reply
      .code(error.status)
      .type('text/html; charset=UTF-8')
      .send(plainPage(errors[error.code].title, escapeHtml(error.message), !reply.request.url.startsWith('/public/')))
  }
  return reply
    .code(error.status)
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(problemOf(error, reply.request.id)))
}

const fromFastify: Record<string, (message: string) => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 'Send the body as JSON with the header Content-Type: application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('too_large', 'The body is too large. Split it into several requests.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('bad_request', 'The length of the body does not match its Content-Length.'),
}

/** Turns any error into one of the closed list; undefined if it is a bug. */
export function asAppError(error: unknown, isUnavailable: (error: unknown) => boolean): AppError | undefined {
  if (error instanceof AppError) return error
  const known = fromFastify[(error as { code?: string }).code ?? '']
  if (known) return known((error as Error).message)
  if (isUnavailable(error))
    return new AppError('unavailable', 'The database does not respond. Try again in a few seconds.', { retryAfter: 5 })
  return undefined
}
