// A change to one record, before it is written.
import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../contract/shared/own.ts'
import type { Patch } from '../../kernel/context.ts'
import type { Shown, Stored } from './from-row.ts'
import type { Row } from './to-row.ts'

export type Written = { records: Shown[]; change_set_id: string | null; dry_run: boolean }
/**
 * `path`: the place of the record in the input, for error messages. `next`: the next task of a series, created with the
 * change that completes this one. `undoes`: the change sets that it takes back.
 */
export type Change = {
  before: Stored | undefined
  after: Stored
  row: Row
  path?: string
  next?: Change
  undoes?: string[]
}

/** What was written, with the values before and after. */
export type WrittenChanges = Written & { changes: Change[] }

export function actionOf({ before, after }: Change) {
  if (!before) return 'created' as const
  if (!before.deleted_at === !after.deleted_at) return 'updated' as const
  return after.deleted_at ? ('deleted' as const) : ('restored' as const)
}

export function differing(before: Stored | undefined, after: Stored): Patch {
  const patch: Patch = {}
  for (const key of new Set([...Object.keys(before?.values ?? {}), ...Object.keys(after.values)])) {
    const [from, to] = [own(before?.values ?? {}, key) ?? null, own(after.values, key) ?? null]
    if (!isDeepStrictEqual(from, to)) patch[key] = { from, to }
  }
  if ((before?.owner_id ?? null) !== after.owner_id)
    patch.owner = { from: before?.owner_id ?? null, to: after.owner_id }
  return patch
}
