// Builds the tools from the contract.
import type * as z from 'zod'
import { nearestNames } from '../../../contract/filter/index.ts'
import { type Contract, isForKeys, type Operation, takesIdempotencyKey } from '../../../contract/operation.ts'
import { replacedNames, withNewNames } from '../../../contract/shared/replaced.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Run } from '../../kernel/run.ts'
import type { Log } from '../../platform/log.ts'
import { Answer, type Call, type Json, type Tool } from './catalog.ts'
import { leaveOutEmpty } from './leave-out-empty.ts'
import { fitsAsItIs, fitted, terse } from './shorten-answer.ts'
import { errorResult } from './tool-errors.ts'
import { schemaForAgents } from './tool-schema.ts'

export const toolName = (operation: string) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export function toolsOf(contract: Contract, run: Run, log: Log): Tool[] {
  return Object.entries(contract)
    .filter(([, op]) => op.tool && isForKeys(op))
    .map(([operation, op]) => ({
      listing: listingOf(operation, op),
      replaces: replacedNames(op).map(toolName),
      access: op.access,
      on: op.on,
      also: op.also,
      effect: op.effect,
      operation,
      call: (args, call) => callTool(operation, op, run, log, args, call),
    }))
}

const idempotencyKey = { type: 'string' }

/**
 * Without an output schema: it would be a third of what an agent reads about a tool, and answers are self-explanatory.
 * Without `idempotentHint`: it means nothing for reads, and false, its default, for writes.
 */
function listingOf(operation: string, op: Operation) {
  const input = schemaForAgents(op.input)
  return {
    name: toolName(operation),
    description: op.tool,
    inputSchema: {
      ...input,
      properties: { ...input.properties, ...(takesIdempotencyKey(op) && { idempotency_key: idempotencyKey }) },
    },
    annotations: {
      title: op.summary,
      readOnlyHint: op.effect === 'read',
      // What only reads cannot destroy anything.
      ...(op.effect !== 'read' && { destructiveHint: op.effect === 'destroy' }),
      openWorldHint: op.openWorld ?? false,
    },
  }
}

const isPaged = (op: Operation) => 'cursor' in op.input.shape && 'limit' in op.input.shape

async function callTool(
  operation: string,
  op: Operation,
  run: Run,
  log: Log,
  args: Json,
  { caller }: Call,
): Promise<Answer> {
  const { idempotency_key: key, ...input } = args
  const given = withNewNames(op, takesIdempotencyKey(op) ? input : args)
  try {
    refuseHidden(op, given)
    if (takesIdempotencyKey(op) && key !== undefined && typeof key !== 'string') throw notText('idempotency_key')
    const answer = (await run(operation, caller, given, key as string | undefined)) as Json
    return new Answer(await textOf(operation, op, answer, (limit) => run(operation, caller, { ...given, limit })))
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, request_id: caller.request_id }, 'a tool failed')
    return errorResult(withNearest(error, op), caller.request_id)
  }
}

/** The answer as JSON that fits. A page is fetched again with fewer items, so that next_cursor continues after the last. */
async function textOf(operation: string, op: Operation, answer: Json, again: (limit: number) => Promise<unknown>) {
  const lean = marked(op, leaveOutEmpty(op.output, answer) as Json)
  const text = JSON.stringify(lean)
  if (fitsAsItIs(text)) return text
  if (!isPaged(op)) return fitted(operation, lean)
  const short = terse(operation, lean)
  if (short.hint && fitsAsItIs(JSON.stringify(short))) return fitted(operation, short.answer, short.hint)
  const count = Object.values(lean).find(Array.isArray)?.length ?? 0
  for (let limit = Math.floor(count * 0.7); limit > 1; limit = Math.floor(limit * 0.7)) {
    const fewer = await page(limit)
    if (fitsAsItIs(JSON.stringify(fewer))) return fitted(operation, fewer.answer, fewer.hint)
  }
  const single = await page(1)
  return fitted(operation, single.answer, single.hint)

  async function page(limit: number) {
    const { answer, hint } = terse(operation, marked(op, leaveOutEmpty(op.output, await again(limit)) as Json))
    const items = limit === 1 ? 'Only 1 item is allowed.' : `Only ${limit} items fit.`
    return { answer, hint: `${items} Continue with next_cursor, or narrow the request. ${hint}` }
  }
}

/** The same for a resource, which has no pages. */
export const textFor = (operation: string, op: Operation, answer: unknown) =>
  fitted(operation, marked(op, leaveOutEmpty(op.output, answer) as Json))

/** What outsiders may have written is said first, so that an agent knows it before it reads their text. */
export function marked({ untrusted = [] }: Operation, { untrusted_fields = [], ...answer }: Json): Json {
  const fields = [...new Set([...untrusted, ...(untrusted_fields as string[])])]
  return fields.length ? { untrusted_fields: fields, ...answer } : answer
}

/** Arguments that are not in the list of tools do not exist for agents. */
function refuseHidden(op: Operation, args: Json) {
  const errors = Object.keys(args)
    .filter((path) => !argumentsOf(op).includes(path) && path in op.input.shape)
    .map((path) => ({ path, message: 'Unknown field' }))
  if (errors.length) throw new AppError('unknown_field', 'Correct this and send it again.', { errors })
}

const argumentsOf = ({ input }: Operation) =>
  Object.entries(input.shape).flatMap(([key, schema]) =>
    (schema as z.ZodType).meta()?.forAgents === 'hidden' ? [] : [key],
  )

const notText = (path: string) =>
  new AppError('invalid_input', `Correct this and send it again. ${path}: This must be text`, {
    errors: [{ path, message: 'This must be text' }],
  })

const mostSuggested = 5

/** Suggests similar arguments for unknown ones; all other errors keep their path and words. */
function withNearest(error: unknown, op: Operation) {
  if (!(error instanceof AppError) || error.code !== 'unknown_field' || !error.more.errors) return error
  const known = argumentsOf(op).map((key) => ({ key }))
  const isKnown = (path: string) => path.includes('.') || argumentsOf(op).includes(path)
  const errors = error.more.errors.map((fieldError, i) => {
    const { path } = fieldError
    if (i >= mostSuggested || isKnown(path)) return fieldError
    if (!known.length) return { ...fieldError, message: `There is no argument ${path}. This tool takes none` }
    const nearest = nearestNames(path, known)
    const takes = known.map(({ key }) => key).join(', ')
    const hint = nearest.length ? `Did you mean ${nearest.join(', ')}?` : `This tool takes ${takes}`
    return { ...fieldError, message: `There is no argument ${path}. ${hint}`, nearest }
  })
  const words = errors
    .slice(0, mostSuggested)
    .map(({ path, message }) => (isKnown(path) ? `${path}: ${message}.` : message))
  return new AppError(error.code, `Correct this and send it again. ${words.join(' ')}`, { ...error.more, errors })
}
