// Runs an operation. All transports go through this.
import type { Contract, Operation, Output, Parsed } from '../../contract/operation.ts'
import { type Db, isOutdatedSchema, isTimeout, isUniqueViolation, transaction } from '../platform/db.ts'
import { statementSeconds } from '../platform/pools.ts'
import { AppError } from './app-error.ts'
import { duringCall } from './calls.ts'
import { type Caller, type Context, mayCall, type Notes } from './context.ts'
import { once } from './idempotency.ts'
import { parseInput } from './input.ts'
import { noNotes, rowsOfNotes, taking, writeNotes, writingTogether } from './pending-writes.ts'
import type { RefusalLog } from './refusals.ts'

export type Handler<In = unknown, Out = unknown> = {
  /** Slow work that must not hold a transaction open, such as hashing a password. */
  before?: (context: Context, input: In) => Promise<unknown>
  /** Writes only through `context.insert` and `write`, in one statement, which needs no transaction. */
  atOnce?: true | ((input: In) => boolean)
  /** Whether this may take long. Such reads share two connections, so that they do not delay others. */
  isHeavy?: (input: In) => boolean
  /** What to do if the database takes too long. */
  ifSlow?: string
  /** Called before a stored response is returned again. Throws if the caller has lost the right since. */
  mayRepeat?: (context: Context, input: In) => Promise<unknown>
  /** What the answer waits for once it is committed. */
  after?: (db: Db, answer: Out) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: only the handler knows the type of what `before` returns; see `prepared`.
  handle: (context: Context, input: In, made: any) => Promise<Out>
}
export type Handlers<C extends Contract> = {
  [K in keyof C]:
    | ((context: Context, input: Parsed<C[K]>) => Promise<Output<C[K]>>)
    | Handler<Parsed<C[K]>, Output<C[K]>>
}
export type Run = (name: string, caller: Caller, raw: unknown, idempotencyKey?: string) => Promise<unknown>

/** A handler in two steps, which types the result of the first. */
export const prepared = <O extends Operation, Made>(
  _op: O,
  before: (context: Context, input: Parsed<O>) => Promise<Made>,
  handle: (context: Context, input: Parsed<O>, made: Made) => Promise<Output<O>>,
): Handler<Parsed<O>, Output<O>> => ({ before, handle })

type RunParts = {
  /** Limits connections per company. */
  db: Db
  /** For writes of several calls together. */
  shared: Db
  clock: () => Date
  committed: () => void
  refused: RefusalLog['add']
}
type Call = {
  name: string
  op: Operation
  handler: Handler
  caller: Caller
  input: unknown
  /** The caller's idempotency key, if it applies. */
  key: string | undefined
  now: Date
}

const mostAttempts = 3

export function createRun<C extends Contract>(contract: C, handlers: Handlers<C>, parts: RunParts): Run {
  const { db, clock, committed } = parts
  const writeTogether = writingTogether(parts.shared)

  return async function run(name, caller, raw, idempotencyKey) {
    const op: Operation = contract[name]!
    const given = handlers[name] as Handler | Handler['handle']
    const handler: Handler = typeof given === 'function' ? { handle: given } : given
    const now = clock()
    let isHeavy = false
    try {
      admit(op, name, caller)
      const input = parseInput(op.input, raw)
      const key = keyThatCounts(op, caller, input, idempotencyKey)
      const call: Call = { name, op, handler, caller, input, key, now }
      const isRead = op.effect === 'read'
      isHeavy = handler.isHeavy?.(input) ?? false
      return await duringCall({ caller, isRead, isHeavy }, () => (isRead ? read(call) : write(call)))
    } catch (error) {
      if (error instanceof AppError && error.more.audit) parts.refused(error.more.audit, caller, name, now)
      throw isTimeout(error) ? timedOut(op, isHeavy, handler.ifSlow) : error
    }
  }

  async function read({ name, op, handler, caller, input, now }: Call) {
    const notes = noNotes()
    const context: Context = { ...caller, ...taking(notes, caller), db, now }
    const made = await handler.before?.(context, input)
    const answer = op.output.parse(await handler.handle(context, input, made))
    // What was read on a replica is noted on the primary.
    if (notes.audit.length)
      await duringCall({ caller, isRead: false, isHeavy: false }, () => writeNotes(db, notes, caller, name, now))
    return answer
  }

  async function write(call: Call) {
    const { handler, caller, input, now } = call
    const made = await handler.before?.({ ...caller, ...taking(noNotes(), caller), db, now }, input)
    for (let attempt = 1; ; attempt++) {
      try {
        const isAtOnce = typeof handler.atOnce === 'function' ? handler.atOnce(input) : handler.atOnce
        const isAlone = isAtOnce && !call.key
        const answer = isAlone ? await writeAlone(call, made) : await writeInTransaction(call, made)
        committed()
        await handler.after?.(db, answer)
        return answer
      } catch (error) {
        if (!isOutdatedSchema(error) || attempt === mostAttempts) throw error
        call.caller = await withCurrentSchema(db, caller)
      }
    }
  }

  async function writeAlone({ name, op, handler, caller, input, now }: Call, made: unknown) {
    const notes = noNotes()
    const context: Context = { ...caller, ...taking(notes, caller), db, now }
    const answer = op.output.parse(await handler.handle(context, input, made))
    refuseCancelled(caller)
    const writing =
      notes.writes.length || notes.after.length
        ? transaction(db, (tx) => writeNotes(tx, notes, caller, name, now))
        : writeTogether({ rows: rowsOfNotes(notes, caller, name, now), schema: notes.schema })
    await writing.catch((error) => explained(error, notes))
    return answer
  }

  async function writeInTransaction(call: Call, made: unknown) {
    let notes: Notes | undefined
    const work = async (tx: Db) => {
      const { name, op, handler, caller, input, now } = call
      notes = noNotes()
      const answer = op.output.parse(
        await handler.handle({ ...caller, ...taking(notes, caller), db: tx, now }, input, made),
      )
      await writeNotes(tx, notes, caller, name, now)
      refuseCancelled(caller)
      return answer
    }
    return transaction(db, (tx) => (call.key ? onceByKey(call, call.key, tx, () => work(tx)) : work(tx))).catch(
      // Runs after the transaction has released its connection, because explaining needs one.
      (error) => explained(error, notes),
    )
  }

  async function explained(error: unknown, notes: Notes | undefined): Promise<never> {
    throw (await notes?.explain?.(error, db)) ?? (isUniqueViolation(error) ? savedAtOnce() : error)
  }
}

/** Asked as late as possible: what is cancelled before the commit changes nothing. */
function refuseCancelled({ isCancelled }: Caller) {
  if (isCancelled?.()) throw new AppError('conflict', 'The call was cancelled. Nothing was changed.')
}

const savedAtOnce = () => new AppError('conflict', 'Someone else saved the same value at the same time. Please retry.')

function onceByKey<T>({ name, handler, caller, input, now }: Call, key: string, tx: Db, work: () => Promise<T>) {
  const mayRepeat = () => handler.mayRepeat?.({ ...caller, ...taking(noNotes(), caller), db: tx, now }, input)
  return once(tx, { actor: caller.actor!, operation: name, key, input, now, mayRepeat }, work)
}

/** A dry run changes nothing, so it must not use up the key of the actual call. */
function keyThatCounts(op: Operation, { actor }: Caller, input: unknown, key: string | undefined) {
  if (key === undefined || !actor || op.effect === 'read') return undefined
  if (op.body === 'upload')
    throw new AppError('bad_request', 'Omit the idempotency key: an upload can be repeated, and unused files expire.')
  if (op.secret)
    throw new AppError('bad_request', 'Omit the idempotency key: this response contains a secret and is never stored.')
  return (input as { dry_run?: boolean }).dry_run ? undefined : key
}

async function withCurrentSchema(db: Db, caller: Caller): Promise<Caller> {
  const actor = caller.actor!
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', actor.company_id)
  return { ...caller, actor: { ...actor, ...(await company.executeTakeFirstOrThrow()) } }
}

const narrow = 'Narrow the filter, request fewer records or sort by another field.'

function timedOut({ effect }: Operation, isHeavy: boolean, advice = narrow) {
  const seconds = isHeavy ? statementSeconds.heavy : statementSeconds.work
  if (effect !== 'read')
    return new AppError('unavailable', 'The database is too busy right now. Nothing was saved. Please retry.', {
      retryAfter: 5,
    })
  return new AppError('too_slow', `This took longer than ${seconds} seconds and was stopped. ${advice}`)
}

export const signedOut = () =>
  new AppError(
    'unauthenticated',
    'Your session has ended. Sign in in another tab and try again here; nothing you typed is lost.',
  )

function admit(op: Operation, name: string, { actor }: Caller) {
  if (mayCall(actor, op)) return
  if (!actor) throw signedOut()
  throw new AppError('forbidden', `Your role (${actor.role}) does not allow this. Ask an Admin of your company.`, {
    audit: {
      company_id: actor.company_id,
      actor_id: actor.user_id,
      action: 'access.refused',
      data: { operation: name },
    },
  })
}
