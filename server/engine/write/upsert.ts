// Creates records or updates existing ones, matched by a unique field.
import { sql } from 'kysely'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { recordsById } from '../read/by-id.ts'
import { holdersOf, keysOf, uniqueField } from '../read/by-unique.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { WrittenChanges } from '../values/change.ts'
import type { Values } from '../values/from-row.ts'
import { addingToLists, changedList, isListChange } from '../values/list-change.ts'
import { createRecords } from './create.ts'
import { readEach, refuseFaults } from './input.ts'
import { updateRecords } from './update.ts'

export async function upsertRecords(
  target: Target,
  match_on: string,
  inputs: Values[],
  { lists = 'add', dry_run }: { lists?: 'add' | 'replace' | undefined; dry_run: boolean },
): Promise<WrittenChanges> {
  const field = uniqueField(target, match_on, 'match_on')
  const read = readEach(
    target,
    inputs.map((values, i) => ({ values, path: `records.${i}` })),
  )
  const keys = read.map(({ [match_on]: value }) => (isListChange(value) ? [] : keysOf(target, field, value)))
  refuseFaults(
    keys.flatMap((list, i) =>
      list.length
        ? []
        : [{ path: `records.${i}.${match_on}`, message: 'This is required to find out whether the record exists' }],
    ),
  )
  await lockKeys(target, field, keys.flat())
  const { holderOf, found } = await readableHolders(target, field, keys.flat())
  const idOf = (i: number) => {
    const ids = [...new Set(keys[i]!.flatMap((key) => holderOf(key) ?? []))]
    if (ids.length > 1)
      throw new AppError('conflict', `records.${i} matches several records: ${ids.join(', ')}. Update them by ID.`)
    return ids[0]
  }
  const toCreate = inputs.flatMap((values, i) => (idOf(i) ? [] : [{ values, i }]))
  const toUpdate = inputs.flatMap((values, i) => {
    const id = idOf(i)
    const kept = id && withKnown(target, field, own(found.get(id)!.values, match_on), read[i]![match_on])
    const sent = lists === 'add' ? addingToLists(target.object, values) : values
    return id ? [{ id, values: { ...sent, [match_on]: kept }, path: `records.${i}`, i }] : []
  })
  const created = toCreate.length
    ? await createRecords(
        target,
        toCreate.map(({ values }) => values),
        dry_run,
        (i) => `records.${toCreate[i]!.i}`,
      )
    : undefined
  const updated = toUpdate.length ? await updateRecords(target, toUpdate, dry_run) : undefined
  const inOrder = <T>(of: (written: WrittenChanges) => T[]) =>
    inputs.map((_, i) => {
      const at = toCreate.findIndex((input) => input.i === i)
      return at >= 0 ? of(created!)[at]! : of(updated!)[toUpdate.findIndex((input) => input.i === i)]!
    })
  return {
    records: inOrder(({ records }) => records),
    changes: inOrder(({ changes }) => changes),
    change_set_id: created?.change_set_id ?? updated?.change_set_id ?? null,
    dry_run,
  }
}

/** The value only identifies the record: its other values stay, and so does the spelling of the matching one. */
export const withKnown = ({ schema }: Target, field: Field, now: unknown, given: unknown) =>
  field.is_multi ? changedList(schema, field, now, { add: [given].flat() }) : now

/** Of two concurrent calls with the same value, the second waits and finds the record of the first. */
export async function lockKeys({ context }: Target, of: { id: string }, keys: string[]) {
  await sql`select pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended(key, hashtext(${of.id})) as lock from unnest(${keys}::text[]) key order by lock
  ) locks`.execute(context.db)
}

/** A record that the caller may not see is not matched. Creating one with its value then fails as a conflict. */
async function readableHolders(target: Target, field: Field, keys: string[]) {
  const holderOf = await holdersOf(
    target,
    keys.map((key) => ({ field, key })),
  )
  const ids = keys.flatMap((key) => holderOf({ field, key }) ?? [])
  const found = await recordsById(target.context, target.object, [...new Set(ids)])
  const readableHolder = (key: string) => {
    const id = holderOf({ field, key })
    return id && found.has(id) ? id : undefined
  }
  return { found, holderOf: readableHolder }
}
