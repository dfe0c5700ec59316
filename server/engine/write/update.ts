import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Patch } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { derive } from '../built-in/derive.ts'
import { builtInFaults } from '../built-in/faults.ts'
import { withScore } from '../built-in/leads/score.ts'
import { repeated } from '../built-in/tasks/repeat.ts'
import { allows, isOwn, refuse, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import type { Change, WrittenChanges } from '../values/change.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import { readAll, refuseFaults } from './input.ts'
import { lock, noSuchRecord } from './lock.ts'
import { missing, withoutNulls } from './required.ts'
import { saveChanges } from './save.ts'

export type Update = { id: string; version?: number | undefined; values: Values; path: string }

export async function updateRecords(target: Target, updates: Update[], dry_run: boolean): Promise<WrittenChanges> {
  const rows = await lock(
    target,
    updates.map((update) => update.id),
  )
  const drafts = await readAll(
    target,
    updates.map(({ id, values, path }) => ({ values, path, before: rows.get(id) })),
  )
  const seen = new Set<string>()
  for (const { id, path } of updates) {
    if (seen.has(id)) refuseFaults([{ path, message: 'This record appears twice. Combine its changes' }])
    seen.add(id)
  }
  const breathe = breathing()
  const changes: Change[] = []
  for (const [i, { id, version, path }] of updates.entries()) {
    await breathe()
    const before = rows.get(id)
    if (!before) throw await noSuchRecord(target, path, id)
    refuseReadOnly(target, before)
    if (version !== undefined && version !== before.version) throw await outdated(target, before, version, path)
    const { change, faults } = changedRecord(target, before, drafts[i]!, path)
    refuseFaults(faults)
    changes.push(change)
  }
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

/** The change that gives a record these values, which have been read. It must not be saved if it has faults. */
export function changedRecord(target: Target, before: Stored, draft: Values, path: string) {
  const { context, schema, object } = target
  const { owner, ...given } = draft
  const patch = withSameAmounts(before.values, given)
  const origin = { before: before.values, created_at: before.created_at, sent: patch, now: context.now }
  const derived = derive(target, withoutNulls({ ...before.values, ...patch }), origin)
  const owner_id = owner === undefined ? before.owner_id : (owner as string | null)
  const scored = withScore(target, derived, { ...before, values: derived, owner_id })
  const { values, next } = repeated(target, before, { ...before, values: scored, owner_id })
  const faults = [
    ...missing(object, values, path, new Set(Object.keys(patch))),
    ...builtInFaults(target, values, origin, path),
  ]
  const row = rowOf(schema, object, values)
  const change: Change = { before, after: { ...before, values, owner_id }, row, path, ...(next && { next }) }
  return { change, faults }
}

/** 12.5 is no other amount than 12.50. */
function withSameAmounts(before: Values, given: Values): Values {
  const entries = Object.entries(given).map(([key, value]) => {
    const now = own(before, key)
    return [key, isMoney(now) && isMoney(value) && isSameAmount(now, value) ? now : value]
  })
  return Object.fromEntries(entries)
}

type Money = { amount: string; currency: string }
const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'amount' in value
const isSameAmount = (a: Money, b: Money) => a.currency === b.currency && Number(a.amount) === Number(b.amount)

function refuseReadOnly({ context, object }: Target, row: Stored) {
  const actor = actorOf(context)
  const reach = rightsFor(actor, object.key).edit
  if (!allows(reach, isOwn(actor, object, row)))
    throw (reach === 'own' ? refuseForeign : refuse)(actor, 'change', object)
}

async function outdated({ context }: Target, now: Stored, known: number, path: string) {
  const params = new Params()
  const rows = await run<{ fields: Patch }>(
    context.db,
    `select fields from changes where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and record_id = ${params.add(now.id, 'uuid')} and version > ${params.add(known, 'bigint')} order by version`,
    params,
  )
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))]
  const what = fields.length ? ` Changed in the meantime: ${fields.join(', ')}.` : ''
  return new AppError(
    'conflict',
    `This record has changed: you read version ${known}, and it is now version ${now.version}.${what} Read it again and send your change with version ${now.version}.`,
    {
      errors: fields.map((field) => ({
        path: `${path}.${field}`,
        message: `The value is now ${JSON.stringify((field === 'owner' ? now.owner_id : own(now.values, field)) ?? null)}`,
      })),
    },
  )
}
