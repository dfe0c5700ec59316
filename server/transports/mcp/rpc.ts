// JSON-RPC for MCP: messages, errors, and the protocol era of a message.
import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from './catalog.ts'

export const modernVersions = ['2026-07-28']
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Revisions that allowed several messages in one array. */
const batchVersions = ['2025-03-26', '2024-11-05']
const metaKey = (name: string) => `io.modelcontextprotocol/${name}`

export type Id = string | number
export type Message = { id: Id | undefined; method: string; params: Json; meta: Json }
export type Era = 'modern' | 'legacy'

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  noMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  headers: -32020,
  version: -32022,
}

/** A protocol error. Errors of tools are part of their result instead. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly status: number
  readonly data: Json | undefined
  id: Id | null = null
  constructor(code: number, message: string, { status = 200, data }: { status?: number; data?: Json } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export const errorBody = ({ id, code, message, data }: Pick<RpcError, 'id' | 'code' | 'message' | 'data'>) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } })

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const invalid = (message: string) => new RpcError(codes.invalidRequest, message, { status: 400 })

export function readMessage(body: unknown): Message {
  if (!isObject(body)) throw invalid('Send one JSON-RPC request or notification as a JSON object.')
  const { jsonrpc, id, method, params = {} } = body
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id))
    throw invalid('id must be a string or an integer.')
  const known = id as Id | undefined
  if (jsonrpc !== '2.0') throw withId(invalid('jsonrpc must be "2.0".'), known)
  if (typeof method !== 'string') throw withId(invalid('method must be a string.'), known)
  if (!isObject(params)) throw withId(invalid('params must be an object.'), known)
  return { id: known, method, params, meta: isObject(params._meta) ? params._meta : {} }
}

export function withId(error: RpcError, id: Id | undefined) {
  error.id = id ?? null
  return error
}

const headerOf = (headers: IncomingHttpHeaders, name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

/** Determines the era of a message and checks the requirements of that era. */
export function eraOf(message: Message, headers: IncomingHttpHeaders): Era {
  const header = headerOf(headers, 'mcp-protocol-version')
  const claimed = message.meta[metaKey('protocolVersion')]
  const isModern = claimed !== undefined || (header !== undefined && modernVersions.includes(header))
  if (isModern) {
    checkModern(message, headers, header, claimed)
    return 'modern'
  }
  if (header !== undefined && !legacyVersions.includes(header)) {
    throw new RpcError(codes.version, `This server does not support version ${header}.`, {
      status: 400,
      data: { supported: [...modernVersions, ...legacyVersions], requested: header },
    })
  }
  return 'legacy'
}

function checkModern(message: Message, headers: IncomingHttpHeaders, header: string | undefined, claimed: unknown) {
  const missing = (name: string) =>
    new RpcError(codes.invalidParams, `params._meta needs ${metaKey(name)}.`, { status: 400 })
  if (typeof claimed !== 'string') throw missing('protocolVersion')
  if (!isObject(message.meta[metaKey('clientCapabilities')])) throw missing('clientCapabilities')
  mustMatch('MCP-Protocol-Version', header, claimed)
  if (!modernVersions.includes(claimed)) {
    throw new RpcError(codes.version, `This server does not support version ${claimed}.`, {
      status: 400,
      data: { supported: modernVersions, requested: claimed },
    })
  }
  mustMatch('Mcp-Method', headerOf(headers, 'mcp-method'), message.method)
  const named = nameIn(message)
  if (named !== undefined) mustMatch('Mcp-Name', decoded(headerOf(headers, 'mcp-name')), named)
}

function mustMatch(name: string, header: string | undefined, body: string) {
  if (header === body) return
  const problem = header === undefined ? `The header ${name} is missing` : `The header ${name} does not match the body`
  throw new RpcError(codes.headers, `${problem}. Send ${name}: ${body}`, { status: 400 })
}

/** The name or URI in a message, which modern clients repeat in a header. */
function nameIn({ method, params }: Message) {
  const value =
    method === 'resources/read'
      ? params.uri
      : method === 'tools/call' || method === 'prompts/get'
        ? params.name
        : undefined
  return typeof value === 'string' ? value : undefined
}

function decoded(header: string | undefined) {
  const match = header && /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)
  return match ? Buffer.from(match[1]!, 'base64').toString('utf8') : header
}

export const mostInBatch = 20

/** Batches are accepted only in revisions that had them. */
export function isBatch(body: unknown, headers: IncomingHttpHeaders): body is unknown[] {
  const version = headerOf(headers, 'mcp-protocol-version') ?? batchVersions[0]!
  return Array.isArray(body) && body.length > 0 && batchVersions.includes(version)
}

/** The name of the client, sent in every modern request and in a legacy `initialize`. */
export function clientIn({ method, params, meta }: Message): string | undefined {
  const info = meta[metaKey('clientInfo')] ?? (method === 'initialize' ? params.clientInfo : undefined)
  if (!isObject(info) || typeof info.name !== 'string') return
  return `${info.name}${typeof info.version === 'string' ? `/${info.version}` : ''}`.slice(0, 200)
}
