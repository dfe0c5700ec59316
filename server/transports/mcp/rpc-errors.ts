import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../kernel/app-error.ts'
import { errorBody, type Id, RpcError } from './rpc.ts'

export type AsAppError = (error: unknown) => AppError | undefined

/** Sends any error as a JSON-RPC error, even one that happened outside the protocol. */
export function sendFault(request: FastifyRequest, reply: FastifyReply, error: unknown, asAppError: AsAppError) {
  const { status, body, retryAfter } = faultOf(request, error, asAppError, null)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="kith"')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

export function faultOf(request: FastifyRequest, error: unknown, asAppError: AsAppError, id: Id | null) {
  if (error instanceof RpcError) {
    request.errorCode = `rpc ${error.code}`
    return { status: error.status, body: errorBody(error) }
  }
  const known = asAppError(error)
  if (!known) request.log.error({ err: error, request_id: request.id }, 'a request failed')
  const status = known?.status ?? 500
  const code = known?.code ?? 'internal'
  request.errorCode = code
  const message = known?.message ?? `Something went wrong on our side. Give an Admin this request ID: ${request.id}`
  const body = errorBody({ id, code: status, message, data: { code, request_id: request.id } })
  return { status, body, retryAfter: known?.more.retryAfter }
}
