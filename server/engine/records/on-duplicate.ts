// Creates records, and says which of them probably existed before: they can also be updated, skipped or refused.
import { sql } from 'kysely'
import type { Output, Parsed } from '../../../contract/operation.ts'
import type { records } from '../../../contract/records.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { mostDuplicates } from '../../../contract/shared/record-shapes.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, mayNameRecords } from '../../kernel/context.ts'
import { factsOf } from '../duplicates/facts.ts'
import { describeFound, type Found, findDuplicates, seenDuplicates } from '../duplicates/find.ts'
import { storedKeys } from '../duplicates/keys.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import type { Change, WrittenChanges } from '../values/change.ts'
import { type Stored, shown, type Values } from '../values/from-row.ts'
import { addingToLists } from '../values/list-change.ts'
import { readNewRecords } from '../write/create.ts'
import { refuseFaults } from '../write/input.ts'
import { saveChanges } from '../write/save.ts'
import { updateRecords } from '../write/update.ts'
import { answer } from './describe-written.ts'

type Input = Omit<Parsed<typeof records.createRecords>, 'object'>
type Created = Output<typeof records.createRecords>
type Seen = { visible: Found[]; hidden: number }
type Decided = { outcome: 'created' | 'updated' | 'skipped'; change: Change; existing?: Stored | undefined }

export async function createUnlessDuplicate(
  target: Target,
  { records: inputs, on_duplicate = 'create', dry_run, return: wanted }: Input,
): Promise<Created> {
  const changes = await readNewRecords(target, inputs)
  if (on_duplicate !== 'create') await lockKeys(target, changes)
  const seen = await duplicatesOf(target, changes)
  if (on_duplicate === 'fail') refuseDuplicates(target, seen)
  const decided = decideAll(changes, seen, on_duplicate)
  const written = await writeDecided(target, inputs, decided, dry_run)
  const answered = await answer(target, written, wanted)
  const outcomes = decided.map(({ outcome }) => outcome)
  return {
    ...answered,
    records:
      on_duplicate === 'create'
        ? answered.records
        : answered.records.map((record, i) => ({ ...record, is_new: outcomes[i] === 'created' })),
    duplicates: seen.flatMap(({ visible, hidden }, index) =>
      visible.length || hidden
        ? [
            {
              index,
              outcome: outcomes[index]!,
              duplicates: visible.slice(0, mostDuplicates).map(describeFound),
              hidden,
            },
          ]
        : [],
    ),
  }
}

/** Of two calls that create the same record at once, the second waits and finds the record of the first. */
async function lockKeys({ context, object }: Target, changes: Change[]) {
  const keys = changes.flatMap(({ after }) => storedKeys(object, after.values))
  await sql`select pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended(${actorOf(context).company_id} || key, 7) as lock
    from unnest(${keys}::text[]) key order by lock
  ) locks`.execute(context.db)
}

/** Among the existing records, and among those before it in the same call. */
async function duplicatesOf({ context, object }: Target, changes: Change[]): Promise<Seen[]> {
  const wanted = changes.map(({ after }) => ({ facts: factsOf(object, after.values), record: after }))
  const found = await findDuplicates(context.db, actorOf(context).company_id, object, wanted)
  return found.map((list) => seenDuplicates(context, object, list))
}

/** A record can be a duplicate of one before it in the same call, which may itself be one of an existing record. */
function decideAll(changes: Change[], seen: Seen[], on_duplicate: keyof typeof outcomeOf) {
  const decided = new Map<string, Decided>()
  for (const [i, change] of changes.entries()) {
    const [first] = seen[i]!.visible
    const isCreated = first?.likeness !== 'certain' || on_duplicate === 'create' || on_duplicate === 'fail'
    const earlier = first && decided.get(first.record.id)
    if (!isCreated && on_duplicate === 'update' && earlier)
      refuseFaults([{ path: change.path!, message: `The same as ${earlier.change.path}. Combine them` }])
    const existing = isCreated ? undefined : (earlier?.existing ?? first.record)
    decided.set(change.after.id, { outcome: isCreated ? 'created' : outcomeOf[on_duplicate], change, existing })
  }
  return [...decided.values()]
}
const outcomeOf = { create: 'created', update: 'updated', skip: 'skipped', fail: 'created' } as const

async function writeDecided(target: Target, inputs: Values[], decided: Decided[], dry_run: boolean) {
  const { context, object } = target
  const seen = seenBy(actorOf(context), object)
  const created = decided.filter(({ outcome }) => outcome === 'created').map(({ change }) => change)
  const updates = decided.flatMap(({ outcome, existing }, i) =>
    outcome === 'updated'
      ? [{ id: existing!.id, values: addingToLists(object, inputs[i]!), path: `records.${i}` }]
      : [],
  )
  const added = created.length ? await saveChanges(target, created, dry_run) : undefined
  const updated = updates.length ? await updateRecords(target, updates, dry_run) : undefined
  const written: WrittenChanges = {
    records: [],
    changes: [],
    change_set_id: added?.change_set_id ?? updated?.change_set_id ?? null,
    dry_run,
  }
  let [a, u] = [0, 0]
  for (const { outcome, change, existing } of decided) {
    const kept = existing && { before: existing, after: existing, row: change.row }
    written.records.push(
      outcome === 'created'
        ? added!.records[a]!
        : outcome === 'updated'
          ? updated!.records[u]!
          : shown(seen, existing!),
    )
    written.changes.push(outcome === 'created' ? change : outcome === 'updated' ? updated!.changes[u]! : kept!)
    if (outcome === 'created') a++
    if (outcome === 'updated') u++
  }
  return written
}

function refuseDuplicates({ context, object }: Target, seen: Seen[]) {
  const errors = seen.flatMap(({ visible, hidden }, i): FieldError[] => {
    const [first] = visible
    const path = `records.${i}`
    if (first && mayNameRecords(context)) {
      const { record, reasons } = first
      const message = `Probably the same as ${record.title}: ${reasons.join(', ')}`
      return [{ path, message, code: 'duplicate', record: { object: object.key, id: record.id, title: record.title } }]
    }
    const count = visible.length + hidden
    return count ? [{ path, message: `Probably the same as ${count} that you cannot read`, code: 'duplicate' }] : []
  })
  if (!errors.length) return
  const words = errors.slice(0, 20).map(({ path, message }) => `${path}: ${message}`)
  throw new AppError(
    'conflict',
    `${words.join('; ')}. Nothing was written. Update the existing ${inSentence(object.label_plural)} instead, or create these with on_duplicate: create.`,
    { errors },
  )
}
