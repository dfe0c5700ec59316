// Dispatches MCP messages of both protocol eras, without sessions.
import { type Caller, canUse, may } from '../../kernel/context.ts'
import { Answer, type Call, type Catalog, type Json, type Tool } from './catalog.ts'
import { instructions } from './guide.ts'
import { meta, metaText, serverInfo } from './response-text.ts'
import { codes, type Era, legacyVersions, type Message, modernVersions, RpcError } from './rpc.ts'

export type Narrowing = { readOnly: boolean; tools: string[] | null }
/** The result as JSON text, or the answer of a tool, which is serialized when it is sent. */
type Result = string | Answer
type Method = (call: Call, narrowing: Narrowing) => Promise<Result> | Result

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
/** Clients must not cache lists, so that a change of rights takes effect with the next call. */
const uncached = { ttlMs: 0, cacheScope: 'private' }
function complete(result: Json) {
  if (result._meta)
    return JSON.stringify({ resultType: 'complete', ...result, _meta: { ...meta, ...(result._meta as Json) } })
  const type = result.resultType ? '' : '"resultType":"complete",'
  return `{${type}${JSON.stringify(result).slice(1, -1)},"_meta":${metaText}}`
}
const invalid = (message: string, data?: Json) => new RpcError(codes.invalidParams, message, { ...(data && { data }) })

export function createDispatch(offer: Catalog) {
  const toolLists = new Map<string, string>()
  const namesOf = ({ listing, replaces = [] }: Tool) => [listing.name, ...replaces]
  const toolsByName = new Map(offer.tools.flatMap((tool) => namesOf(tool).map((name) => [name, tool])))
  const visible = <T extends { access: Tool['access'] }>(list: T[], { actor }: Caller) =>
    list.filter((item) => may(actor, item.access))

  function isOpen(tool: Tool, caller: Caller, { readOnly, tools }: Narrowing) {
    if (!canUse(caller.actor, tool)) return false
    if (readOnly && tool.effect !== 'read') return false
    return !tools || namesOf(tool).some((name) => tools.includes(name))
  }

  function listTools({ caller, params }: Call, narrowing: Narrowing) {
    refuseCursor(params)
    const open = offer.tools.filter((tool) => isOpen(tool, caller, narrowing)).map((tool) => tool.listing)
    const key = open.map(({ name }) => name).join()
    const known = toolLists.get(key) ?? complete({ tools: open, ...uncached })
    if (toolLists.size < 1000) toolLists.set(key, known)
    return known
  }

  async function callTool(call: Call, narrowing: Narrowing) {
    const { name, arguments: args = {} } = call.params
    const tool = toolsByName.get(String(name))
    if (!tool || !isOpen(tool, call.caller, narrowing))
      throw invalid(`Unknown tool: ${String(name)}. Call tools/list to see what you can use.`)
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw invalid('arguments must be an object.')
    const result = await tool.call(args as Json, call)
    return result instanceof Answer ? result : complete(result)
  }

  const list =
    <T extends { access: Tool['access']; listing: Json }>(key: string, items: T[]): Method =>
    ({ caller, params }) => {
      refuseCursor(params)
      return complete({ [key]: visible(items, caller).map((item) => item.listing), ...uncached })
    }

  async function readResource(call: Call) {
    const uri = String(call.params.uri)
    const resource = visible(offer.resources, call.caller).find(({ listing }) => listing.uri === uri)
    if (resource) return complete({ contents: await resource.read(call), ...uncached })
    for (const template of visible(offer.templates, call.caller)) {
      const contents = await template.read(uri, call)
      if (contents) return complete({ contents, ...uncached })
    }
    throw invalid(`There is no resource ${uri}. Call resources/list to see what you can use.`, { uri })
  }

  async function getPrompt(call: Call) {
    const prompt = visible(offer.prompts, call.caller).find(({ listing }) => listing.name === call.params.name)
    if (!prompt)
      throw invalid(`Unknown prompt: ${String(call.params.name)}. Call prompts/list to see what you can use.`)
    const args = (call.params.arguments ?? {}) as Record<string, string>
    const missing = prompt.listing.arguments?.find(({ name, required }) => required && typeof args[name] !== 'string')
    if (missing) throw invalid(`The argument ${missing.name} is missing.`)
    return complete(await prompt.get(args, call))
  }

  async function completeArgument(call: Call) {
    const { ref, argument } = call.params as { ref?: Json; argument?: { name?: string; value?: string } }
    const source =
      ref?.type === 'ref/prompt'
        ? visible(offer.prompts, call.caller).find(({ listing }) => listing.name === ref.name)
        : visible(offer.templates, call.caller).find(({ listing }) => listing.uriTemplate === ref?.uri)
    if (!source || typeof argument?.name !== 'string')
      throw invalid('"ref" must name a prompt or resource template, and "argument" one of its arguments.')
    const all = (await source.complete?.(argument.name, String(argument.value ?? ''), call)) ?? []
    return complete({ completion: { values: all.slice(0, 100), total: all.length, hasMore: all.length > 100 } })
  }

  const shared: Record<string, Method> = {
    'tools/list': listTools,
    'tools/call': callTool,
    'resources/list': list('resources', offer.resources),
    'resources/templates/list': list('resourceTemplates', offer.templates),
    'resources/read': readResource,
    'prompts/list': list('prompts', offer.prompts),
    'prompts/get': getPrompt,
    'completion/complete': completeArgument,
  }
  const methods: Record<Era, Record<string, Method>> = {
    modern: {
      ...shared,
      'server/discover': () => complete({ supportedVersions: modernVersions, capabilities, instructions, ...uncached }),
    },
    legacy: {
      ...shared,
      initialize: ({ params }) => {
        const wanted = String(params.protocolVersion)
        const protocolVersion = legacyVersions.includes(wanted) ? wanted : legacyVersions[0]
        return JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions })
      },
      ping: () => '{}',
    },
  }

  return {
    answer(era: Era, { method }: Message, call: Call, narrowing: Narrowing) {
      const handle = Object.hasOwn(methods[era], method) ? methods[era][method] : undefined
      if (handle) return handle(call, narrowing)
      throw new RpcError(codes.noMethod, `There is no method ${method}.`, { status: era === 'modern' ? 404 : 200 })
    },
    operationOf: ({ method, params }: Message) =>
      method === 'tools/call' ? (toolsByName.get(String(params.name))?.operation ?? null) : null,
  }
}

/** Every list fits on one page, so there are no valid cursors. */
function refuseCursor({ cursor }: Json) {
  if (cursor !== undefined) throw invalid('Invalid cursor. Omit it.')
}
