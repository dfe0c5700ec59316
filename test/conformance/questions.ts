// How a tool asks its client something in a protocol without sessions: it answers with questions,
// and the client calls again with the replies and with what the tool wants to remember.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Call, Json } from '../../server/transports/mcp/catalog.ts'
import { codes, RpcError } from '../../server/transports/mcp/rpc.ts'

type Question = { method: keyof typeof capabilityFor; params: Json }
type Questions = Record<string, Question>

const capabilityFor = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const
const missingCapability = -32021

export const elicit = (message: string, properties: Json): Question => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } },
})
export const sample = (words: string): Question => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 100 },
})
export const listRoots: Question = { method: 'roots/list', params: {} }

export function ask(call: Call, questions: Questions, remembered?: Json): Json {
  for (const { method } of Object.values(questions)) mustHave(call, capabilityFor[method])
  return {
    resultType: 'input_required',
    inputRequests: questions,
    ...(remembered && { requestState: sign(remembered) }),
  }
}

/** Those questions that the client has said it can answer. */
export const answerable = (call: Call, questions: Questions): Questions =>
  Object.fromEntries(Object.entries(questions).filter(([, { method }]) => has(call, capabilityFor[method])))

export function mustHave(call: Call, capability: string) {
  if (has(call, capability)) return
  throw new RpcError(missingCapability, `This needs a client that can do ${capability}.`, {
    status: 400,
    data: { requiredCapabilities: { [capability]: {} } },
  })
}

const has = ({ meta }: Call, capability: string) =>
  Object.hasOwn(meta['io.modelcontextprotocol/clientCapabilities'] ?? {}, capability)

export function reply({ params }: Call, key: string): Json | undefined {
  const replies = objectOrNothing(params.inputResponses)
  return replies && objectOrNothing(replies[key])
}
/** What a person filled in, if they did. */
export function accepted(call: Call, key: string): Json | undefined {
  const given = reply(call, key)
  return given?.action === 'accept' ? objectOrNothing(given.content) : undefined
}
const objectOrNothing = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Json) : undefined)

const secret = randomBytes(32)
const seal = (content: string) => createHmac('sha256', secret).update(content).digest()

function sign(remembered: Json) {
  const content = Buffer.from(JSON.stringify(remembered)).toString('base64url')
  return `${content}.${seal(content).toString('base64url')}`
}

/** What was remembered in the round before, nothing in the first one. */
export function remembered({ params: { requestState } }: Call): Json | undefined {
  if (requestState === undefined) return
  const [content = '', signature = '', ...rest] = String(requestState).split('.')
  const wanted = seal(content).toString('base64url')
  const isOurs = !rest.length && signature.length === wanted.length
  if (!isOurs || !timingSafeEqual(Buffer.from(signature), Buffer.from(wanted)))
    throw new RpcError(codes.invalidParams, 'This requestState is not the one that was given out.')
  return JSON.parse(Buffer.from(content, 'base64url').toString())
}
