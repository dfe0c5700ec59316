// Files belong to the record that has them. One that is taken out of its record can be brought back until the trash is emptied.
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import { joining } from '../../kernel/statement.ts'
import { dayMs } from '../../platform/times.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { FileValue } from '../values/files.ts'
import type { Stored } from '../values/from-row.ts'

/** With the changes: releases files that records no longer have, and keeps those that they have now. */
export async function keepFiles(target: Target, changes: Change[]) {
  const { context, object } = target
  const { company_id } = actorOf(context)
  const fields = [...object.fields, ...object.archivedFields].filter(({ type }) => type === 'file')
  if (!fields.length) return
  const idsIn = (record: Stored | undefined) =>
    new Set(fields.flatMap(({ key }) => ((own(record?.values ?? {}, key) ?? []) as FileValue[]).map(({ id }) => id)))
  const released: Row[] = []
  const kept: Row[] = []
  for (const { before, after } of changes) {
    const [had, has] = [idsIn(before), idsIn(after)]
    // While it was in the trash, a merge may have passed its files on.
    const isBack = before?.deleted_at && !after.deleted_at
    for (const id of had) if (!has.has(id)) released.push({ company_id, id, record_id: after.id })
    for (const id of has) if (isBack || !had.has(id)) kept.push({ company_id, id, record_id: after.id })
  }
  // Both are one statement, which changes a row once.
  const taken = new Set(kept.map(({ id }) => id))
  const left = released.filter(({ id }) => !taken.has(id))
  if (left.length) {
    const until = await trashedUntil(target)
    context.write((params) => {
      const { from, where } = joining('files', left, { id: 'uuid', record_id: 'uuid' }, params)
      return `update files t set expires_at = ${params.add(until, 'timestamptz')} from ${from} where ${where}`
    })
  }
  if (kept.length)
    context.write((params) => {
      const { from, where } = joining('files', kept, { id: 'uuid' }, params)
      return `update files t set record_id = x.record_id, expires_at = null from ${from} where ${where}`
    })
}

async function trashedUntil({ context }: Target) {
  const companies = context.db
    .selectFrom('companies')
    .select('trash_days')
    .where('id', '=', actorOf(context).company_id)
  const { trash_days } = await companies.executeTakeFirstOrThrow()
  return new Date(context.now.getTime() + trash_days * dayMs)
}

type Row = { company_id: string; id: string; record_id: string }
