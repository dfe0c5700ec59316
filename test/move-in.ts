// Moves files in as the wizard does it: with the fields that it suggests, and the IDs kept.
import { expect } from 'vitest'
import type { Api } from './app.ts'
import { finished, uploaded } from './csv.ts'

const users = new Set(['owner', 'assignee', 'created_by'])
type Meanings = Record<string, Record<string, Record<string, string>>>

/**
 * `values`: what the user answers when the check asks, by file and column. `problems`: what the check says. Returns what was
 * planned and what was done.
 */
export async function moveIn(
  api: Api,
  files: Record<string, string>,
  { values = {}, problems = [] }: { values?: Meanings; problems?: unknown[] } = {},
) {
  const file_ids: string[] = []
  for (const [name, text] of Object.entries(files)) file_ids.push(await uploaded(api, text, name))
  const first = await api.planMove({ file_ids })
  const lacking = new Set(
    first.files.flatMap(({ object, old_ids }) => (object && old_ids && !old_ids.field ? [object] : [])),
  )
  for (const object of lacking)
    await api.createField({ object, key: 'old_id', label: `${first.system} ID`, type: 'text', is_unique: true })
  const plan = await api.planMove({ file_ids })
  const moving = plan.files.filter(({ object }) => object)
  const previews = await Promise.all(
    moving.map(({ object, file_id }) => api.previewImport({ object: object!, file_id })),
  )
  const asked = moving.map(({ object, file_id, file_name }, i) => {
    const { columns } = previews[i]!
    const hasOldId = columns.some(({ field }) => field === 'old_id')
    const mapping = Object.fromEntries(
      columns.map(({ column, field, if_missing }) => [
        column,
        field && !users.has(field) ? { field, if_missing: if_missing ?? ('create' as const) } : field,
      ]),
    )
    return {
      object: object!,
      file_id,
      mapping,
      if_missing: 'leave_empty' as const,
      ...(hasOldId && { mode: 'upsert' as const, match_by: 'old_id' }),
      values: {
        ...Object.fromEntries(
          columns.filter(({ field }) => users.has(field!)).map(({ column }) => [column, plan.users]),
        ),
        ...values[file_name],
      },
    }
  })
  const { job_id: check_id } = await api.startMove({ files: asked, dry_run: true })
  const check = await finished(api, check_id)
  expect(check.problems).toEqual(problems)
  const { job_id } = await api.startMove({ check_id })
  const job = await finished(api, job_id)
  expect(job.problems).toEqual(check.problems)
  expect(check.result!.created).toBe(job.result!.created)
  const leftOut = (only: (column: (typeof previews)[number]['columns'][number]) => boolean) =>
    Object.fromEntries(
      moving.map(({ file_name }, i) => [
        file_name,
        previews[i]!.columns.filter((column) => column.field === null && only(column)).map(({ column }) => column),
      ]),
    )
  return {
    system: plan.system,
    objects: moving.map(({ object }) => object),
    notes: moving.flatMap(({ note }) => note ?? []),
    left: leftOut(() => true),
    lost: leftOut(({ is_lost }) => is_lost),
    check,
    job,
  }
}

const titles = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(titles)
    : value && typeof value === 'object' && 'title' in value
      ? value.title
      : (value ?? null)

/** The records of an object as rows, the oldest first. `names`: of users, by ID. */
export async function rowsOf(api: Api, object: string, fields: string[], names = new Map<unknown, string>()) {
  const { records } = await api.queryRecords({ object, limit: 100, sort: ['created_at', 'id'] })
  return records.map((record) => fields.map((field) => names.get(record[field]) ?? titles(record[field])))
}
