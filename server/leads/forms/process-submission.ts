// Turns a submission into a lead, with the rights of the owner of its source. The lead, its history and the outcome are
// written in one transaction, so that each submission counts once.
import { sql } from 'kysely'
import type { FilterInput } from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { conditionsOf } from '../../engine/read/conditions.ts'
import { builtInInUse, schemaOf } from '../../engine/schema/schema.ts'
import type { Target } from '../../engine/schema/target.ts'
import { type Stored, storedColumns, type Values } from '../../engine/values/from-row.ts'
import { createRecords } from '../../engine/write/create.ts'
import { updateRecords } from '../../engine/write/update.ts'
import { contextFor } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import { emitIn } from '../../kernel/outbox.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, isOutdatedSchema, isUnavailable, transaction } from '../../platform/db.ts'
import { doubling, retryAt } from '../../platform/retry.ts'
import { addAbout } from '../about-lead.ts'
import { assigneeFor } from './assign-lead.ts'
import { leadValues, leftOutText, noteText, ofBuiltIn } from './read-submission.ts'
import { problemOf, type SourceRow } from './source.ts'
import type { Submission } from './submission.ts'

export type SubmissionRef = { company_id: string; id: string }
type Outcome = { outcome: Submission['outcome']; lead_id: string; reasons: string[] }

/** Seconds after each failed attempt; then a submission has failed. */
const waits = doubling(60, 10, 256 * 60)

/** Returns what is left to do: a submission that is not confirmed yet gets an email. */
export async function processSubmission(db: Db, place: SubmissionRef, now: Date): Promise<Submission | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(db, (tx) => process(tx, place, now))
    } catch (error) {
      if (isOutdatedSchema(error) && attempt < 3) continue
      if (isUnavailable(error)) throw error
      await transaction(db, (tx) => fail(tx, place, error, now))
      if (error instanceof AppError) return undefined
      throw error
    }
  }
}

async function process(tx: Db, place: SubmissionRef, now: Date) {
  const submission = await claim(tx, place)
  if (!submission || submission.state === 'unconfirmed') return submission
  const source = await holdSource(tx, place.company_id, submission.source_id)
  const actor = await findActorById(tx, place.company_id, source.owner_id)
  if (!actor) throw new AppError('forbidden', 'The owner of the form can no longer sign in. Choose another owner.')
  const { context, write: writeNotes } = await contextFor(tx, {
    task: 'submitLead',
    now,
    actor,
    principal: { kind: 'source', id: source.id, name: source.name },
    door: submission.via === 'api' ? (submission.body.door ?? 'rest') : 'lead_form',
  })
  const schema = await schemaOf(tx, actor)
  const problem = await problemOf(context, schema, source)
  if (problem) throw new AppError('invalid_input', problem)
  const target = { context, schema, object: schema.builtIn.get('leads')! }
  const { outcome, lead_id, reasons } = await write(target, source, submission)
  context.emit('lead.submitted', { submission_id: submission.id, source_id: source.id, lead_id })
  await writeNotes()
  await sql`update lead_submissions set state = 'lead', outcome = ${outcome}, lead_id = ${lead_id}, processed_at = ${now},
      reason = ${reasons.length ? `Left out: ${reasons.join('; ')}`.slice(0, 2000) : null}, change_set_id = ${context.change_set_id},
      next_attempt_at = null, attempts = attempts + 1
    where company_id = ${place.company_id} and id = ${place.id}`.execute(tx)
  return undefined
}

async function claim(tx: Db, { company_id, id }: SubmissionRef) {
  const { rows } = await sql<Submission>`
    select * from lead_submissions where company_id = ${company_id} and id = ${id} and state in ('received', 'unconfirmed')
    for update skip locked`.execute(tx)
  return rows[0]
}

async function holdSource(tx: Db, company_id: string, id: string) {
  const { rows } = await sql<SourceRow>`
    select * from lead_sources where company_id = ${company_id} and id = ${id} for update`.execute(tx)
  return rows[0]!
}

async function write(target: Target, source: SourceRow, submission: Submission): Promise<Outcome> {
  const { values, reasons, leftOut } = await leadValues(target, source, submission)
  const { duplicates } = source.settings
  const known = duplicates === 'create' ? undefined : await findOpenLead(target, values)
  if (!known) {
    const owner = await assigneeFor(target, source, values)
    const { records } = await createRecords(target, [{ ...values, owner }], false)
    const lead_id = records[0]!.id
    if (Object.keys(leftOut).length) await addNote(target, lead_id, owner, leftOutText(target, source, leftOut))
    return { outcome: 'created', lead_id, reasons }
  }
  const added = duplicates === 'update' ? emptyFieldsOf(known, values) : {}
  if (Object.keys(added).length) await updateRecords(target, [{ id: known.id, values: added, path: 'values' }], false)
  await addNote(target, known.id, known.owner_id, noteText(target, source, submission))
  return { outcome: Object.keys(added).length ? 'updated' : 'noted', lead_id: known.id, reasons }
}

/** The lead of the same person, unless it is closed. Two submissions of one person at the same time wait for each other. */
async function findOpenLead(target: Target, values: Values): Promise<Stored | undefined> {
  const { context, schema, object } = target
  const [email, phone] = ['email', 'phone'].map((key) => ofBuiltIn(target, values, key))
  const same = [
    ...(email ? [{ field: builtInInUse(object, 'email')!.key, op: 'eq' as const, value: String(email) }] : []),
    ...(phone ? [{ field: builtInInUse(object, 'phone')!.key, op: 'eq' as const, value: String(phone) }] : []),
  ]
  if (!same.length) return undefined
  const { company_id } = context.actor!
  // In one order, so that no two wait for each other.
  for (const key of [email, phone].flatMap((value) => (value ? [String(value).toLowerCase()] : [])).toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${key}`}, 23))`.execute(context.db)
  const status = builtInInUse(object, 'status')
  const closed = ['converted', 'disqualified'].filter((key) => status?.options?.some((option) => option.key === key))
  const open: FilterInput[] = status ? closed.map((value) => ({ not: { field: status.key, op: 'eq', value } })) : []
  const filter: FilterInput = { and: [{ or: same }, ...open] }
  const conditions = await conditionsOf(context, schema, object, { filter, deleted: false, at: context.now })
  const params = new Params()
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where ${conditions(params).join(' and ')} order by r.id desc limit 1`,
    params,
  )
  return rows[0]
}

const emptyFieldsOf = (known: Stored, values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => (own(known.values, key) ?? null) === null))

const addNote = (target: Target, lead_id: string, owner: string | null, body: string) =>
  addAbout(target, 'notes', { about: [lead_id], by: null, owner, values: { body } })

/** What people can correct is reported at once. Other errors are tried again for some time. */
async function fail(tx: Db, { company_id, id }: SubmissionRef, error: unknown, now: Date) {
  const isFinal = error instanceof AppError
  const reason = isFinal ? error.message.slice(0, 2000) : 'Something went wrong on our side. Retrying.'
  const { rows } = await sql<{ attempts: number; source_id: string }>`
    select attempts, source_id from lead_submissions
    where company_id = ${company_id} and id = ${id} and state = 'received' for update`.execute(tx)
  if (!rows[0]) return
  const attempts = rows[0].attempts + 1
  const next = isFinal ? undefined : retryAt(waits, attempts, now)
  await sql`update lead_submissions set attempts = ${attempts}, reason = ${reason}, processed_at = ${now},
      state = ${next ? 'received' : 'failed'}, next_attempt_at = ${next ?? null}
    where company_id = ${company_id} and id = ${id}`.execute(tx)
  if (next) return
  const payload = { submission_id: id, source_id: rows[0].source_id }
  await emitIn(tx, [{ event: 'lead.failed', company_id, payload, at: now }])
}
