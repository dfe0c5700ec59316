// One loop over the contract makes the tools.
import { type Contract, isForKeys, type Operation } from '../../../contract/operation.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { Run } from '../../kernel/run.ts'
import { Answer, type Call, type Json, type Tool } from './offer.ts'
import { leaveOutEmpty, schemaForAgents } from './tool-schema.ts'

export const toolName = (operation: string) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** About 6,000 tokens: what an agent can read at once without losing its thread. */
const budget = 24 * 1024
/** What no agent should have to read at once, even where nothing can be left for a next page. */
const most = 80 * 1024

export function toolsOf(contract: Contract, run: Run, log: Log): Tool[] {
  return Object.entries(contract)
    .filter(([, op]) => op.tool && isForKeys(op))
    .map(([operation, op]) => ({
      listing: listingOf(operation, op),
      access: op.access,
      effect: op.effect,
      operation,
      call: (args, call) => callTool(operation, op, run, log, args, call),
    }))
}

const idempotencyKey = {
  type: 'string',
  description: 'Your own text; a call repeated with it acts once',
}

function listingOf(operation: string, op: Operation) {
  const input = schemaForAgents(op.input, 'input')
  const takesKey = op.effect !== 'read' && !op.secret
  const output = schemaForAgents(op.output, 'output')
  return {
    name: toolName(operation),
    title: op.summary,
    description: op.tool,
    inputSchema: {
      ...input,
      properties: { ...input.properties, ...(takesKey && { idempotency_key: idempotencyKey }) },
    },
    outputSchema: isPaged(op) ? { ...output, properties: { ...output.properties, ...cutFields } } : output,
    annotations: {
      title: op.summary,
      readOnlyHint: op.effect === 'read',
      destructiveHint: op.effect === 'destroy',
      idempotentHint: op.effect === 'read',
      openWorldHint: op.openWorld ?? false,
    },
  }
}

const cutFields = { truncated: { type: 'boolean' }, hint: { type: 'string' } }
const isPaged = (op: Operation) => 'cursor' in op.input.shape && 'limit' in op.input.shape

async function callTool(
  operation: string,
  op: Operation,
  run: Run,
  log: Log,
  args: Json,
  { caller }: Call,
): Promise<Answer> {
  const { idempotency_key, ...input } = args
  const key = typeof idempotency_key === 'string' && op.effect !== 'read' ? idempotency_key : undefined
  const given = key === undefined ? args : input
  try {
    const answer = await run(operation, caller, given, key)
    const text = JSON.stringify(leaveOutEmpty(op.output, answer))
    if (text.length <= budget) return new Answer(text)
    if (!isPaged(op)) {
      // What was written is told, however long; only what is read can be asked for in parts.
      if (text.length <= most || op.effect !== 'read') return new Answer(text)
      throw tooLong(text.length)
    }
    return new Answer(await cutToBudget(operation, op, run, given, caller, text.length))
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, request_id: caller.request_id }, 'a tool failed')
    return errorResult(error, caller.request_id)
  }
}

const tooLong = (size: number) =>
  new AppError(
    'invalid_input',
    `The answer has ${Math.round(size / 1024)} kB, more than you can read at once. Ask for fewer objects, ids or fields.`,
  )

/** Asks again for fewer items until they fit, so that next_cursor goes on exactly behind the last one shown. */
async function cutToBudget(
  operation: string,
  op: Operation,
  run: Run,
  given: Json,
  caller: Call['caller'],
  size: number,
) {
  let limit = Number(given.limit ?? 20)
  for (let length = size; ; ) {
    limit = Math.max(1, Math.floor(limit * Math.min(0.9, budget / length)))
    const answer = leaveOutEmpty(op.output, await run(operation, caller, { ...given, limit })) as Json
    const hint = `Only ${limit} items fit. Go on with next_cursor, or narrow the request.`
    const text = JSON.stringify({ ...answer, truncated: true, hint })
    if (text.length <= budget || limit === 1) return text
    length = text.length
  }
}

const retryable = new Set(['too_many_requests', 'unavailable', 'internal'])

/** What an agent can mend, with what to do next. */
export function errorResult(error: unknown, request_id: string): Answer {
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', `Something went wrong on our side. Tell an Admin this request id: ${request_id}`)
  const { errors } = known.more
  const fault = {
    code: known.code,
    message: known.message,
    ...(errors?.[0] && { field: errors[0].path }),
    ...(errors && { errors }),
    retryable: retryable.has(known.code),
  }
  return new Answer(JSON.stringify({ error: fault }), true)
}
