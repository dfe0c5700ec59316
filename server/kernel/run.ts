// The one door: every transport calls this and nothing else.
import type * as z from 'zod'
import type { FieldError } from '../../contract/errors.ts'
import type { Contract, Operation, Output, Parsed } from '../../contract/operation.ts'
import { AppError } from './app-error.ts'
import { type Caller, type Context, mayCall, type Notes } from './context.ts'
import { type Db, isUniqueViolation, transaction } from './db.ts'
import { once } from './idempotency.ts'
import { noNotes, rowsOfNotes, taking, writeNotes, writingTogether } from './notes.ts'

export type Handler<In = unknown, Out = unknown> = {
  /** Slow work that must not hold a transaction open, such as hashing a password. */
  before?: (context: Context, input: In) => Promise<unknown>
  /** Reads first and writes only through `context.insert` and `write`: one statement, which needs no transaction. */
  atOnce?: true
  // biome-ignore lint/suspicious/noExplicitAny: what `before` made is known to the handler alone; see `prepared`.
  handle: (context: Context, input: In, made: any) => Promise<Out>
}
export type Handlers<C extends Contract> = {
  [K in keyof C]:
    | ((context: Context, input: Parsed<C[K]>) => Promise<Output<C[K]>>)
    | Handler<Parsed<C[K]>, Output<C[K]>>
}
export type Run = (name: string, caller: Caller, raw: unknown, idempotencyKey?: string) => Promise<unknown>

/** A handler in two steps, with the type of what the first hands to the second. */
export const prepared = <O extends Operation, Made>(
  _op: O,
  before: (context: Context, input: Parsed<O>) => Promise<Made>,
  handle: (context: Context, input: Parsed<O>, made: Made) => Promise<Output<O>>,
): Handler<Parsed<O>, Output<O>> => ({ before, handle })

export function createRun<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  { db, clock, committed }: { db: Db; clock: () => Date; committed: () => void },
): Run {
  const writeTogether = writingTogether(db)

  return async function run(name, caller, raw, idempotencyKey) {
    const op: Operation = contract[name]!
    const given = handlers[name] as Handler | Handler['handle']
    const { before, atOnce, handle }: Handler = typeof given === 'function' ? { handle: given } : given
    const now = clock()
    try {
      admit(op, name, caller)
      const input = parseInput(op.input, raw)
      const seen = noNotes()
      const reading: Context = { ...caller, ...taking(seen, caller), db, now }
      const made = await before?.(reading, input)
      if (op.effect === 'read') {
        const answer = op.output.parse(await handle(reading, input, made))
        if (seen.audit.length) await writeNotes(db, seen, caller, name, now)
        return answer
      }
      const isAlone = atOnce && !idempotencyKey
      const answer = isAlone
        ? await write(db, input, made, true)
        : await transaction(db, (tx) => write(tx, input, made))
      committed()
      return answer
    } catch (error) {
      if (error instanceof AppError && error.more.audit) await auditRefusal(db, error.more.audit, caller, name, now)
      throw error
    }

    async function write(tx: Db, input: unknown, made: unknown, isAlone = false) {
      const work = async () => {
        const notes = noNotes()
        const answer = op.output.parse(await handle({ ...caller, ...taking(notes, caller), db: tx, now }, input, made))
        const isOnlyRows = isAlone && !notes.writes.length
        const writing = isOnlyRows
          ? writeTogether(rowsOfNotes(notes, caller, name, now))
          : writeNotes(tx, notes, caller, name, now)
        await writing.catch(async (error) => {
          throw (await notes.explain?.(error, db)) ?? (isUniqueViolation(error) ? atTheSameMoment() : error)
        })
        return answer
      }
      if (!idempotencyKey || !caller.actor || op.secret) return work()
      return once(tx, { actor: caller.actor, operation: name, key: idempotencyKey, input, now }, work)
    }
  }
}

const atTheSameMoment = () =>
  new AppError('conflict', 'Somebody else wrote the same at this very moment. Send it again.')

function admit(op: Operation, name: string, { actor }: Caller) {
  if (mayCall(actor, op)) return
  if (!actor)
    throw new AppError(
      'unauthenticated',
      'You are not signed in, or no longer. Sign in in another tab, then try again here: nothing you typed is lost.',
    )
  throw new AppError('forbidden', `Your role (${actor.role}) does not allow this. Ask an Admin of your company.`, {
    audit: {
      company_id: actor.company_id,
      actor_id: actor.user_id,
      action: 'access.refused',
      data: { operation: name },
    },
  })
}

function parseInput(schema: z.ZodType, raw: unknown) {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.flatMap(faultsOf)
  const unknown = parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys')
  const where = faults.map((fault) => (fault.path ? `${fault.path}: ${fault.message}` : fault.message)).join('; ')
  throw new AppError(unknown ? 'unknown_field' : 'invalid_input', `Correct this and send it again. ${where}`, {
    errors: faults,
  })
}

function faultsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), message: issue.message }]
  return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'There is no such field here' }))
}

type Refusal = NonNullable<AppError['more']['audit']>

function auditRefusal(
  db: Db,
  { company_id, actor_id = null, action, data }: Refusal,
  caller: Caller,
  name: string,
  now: Date,
) {
  const notes: Notes = { ...noNotes(), audit: [{ company_id, actor_id, action, target_id: null, data }] }
  return writeNotes(db, notes, caller, name, now)
}
