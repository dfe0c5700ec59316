// What a job could not do: row by row, and grouped by what is wrong.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type jobs, mostProblemGroups, mostProblemRows, mostProblems } from '../../contract/jobs.ts'
import type { Output } from '../../contract/operation.ts'
import type { Db } from '../platform/db.ts'
import { blank, type Job, type Problem } from './job.ts'

type JobRef = Pick<Job, 'company_id' | 'id'>
type Row = { line: number | null; record_id: string | null; value: string | null }
type ProblemGroup = {
  part: number | null
  message: string
  is_note: boolean
  count: number
  first_rows: Row[]
  /** Different ones; more than are shown say only that there are more. */
  names: string[]
}
const mostNames = 3

export async function addProblems(tx: Db, { company_id, id }: JobRef, problems: Problem[]) {
  const rows = problems.map(({ kinds: _, ...problem }, i) => ({ is_note: false, ...problem, position: i }))
  await sql`insert into job_problems (company_id, job_id, position, part, line, record_id, message, data, is_note)
    select ${company_id}, ${id}, n.next + p.position, p.part, p.line, p.record_id, p.message, p.data, p.is_note
    from jsonb_populate_recordset(null::job_problems, ${JSON.stringify(rows)}::jsonb) p,
      (select coalesce(max(position) + 1, 0) as next from job_problems where company_id = ${company_id} and job_id = ${id}) n`.execute(
    tx,
  )
  const found = groupsOf(problems)
  const before = await namesOf(tx, { company_id, id }, [...found.keys()])
  const groups = [...found].map(([key, group]) => ({
    key,
    ...group,
    names: joined(before.get(key) ?? [], group.names),
  }))
  await sql`insert into job_problem_groups as g (company_id, job_id, key, part, message, is_note, count, first_rows, names)
    select ${company_id}, ${id}, p.key, p.part, p.message, p.is_note, p.count, p.first_rows, p.names
    from jsonb_populate_recordset(null::job_problem_groups, ${JSON.stringify(groups)}::jsonb) p
    on conflict (company_id, job_id, key) do update set count = g.count + excluded.count, names = excluded.names,
      first_rows = case when g.count < ${mostProblemRows} then g.first_rows || excluded.first_rows else g.first_rows end`.execute(
    tx,
  )
}

const joined = (names: string[], more: string[]) => [...new Set([...names, ...more])].slice(0, mostNames + 1)

async function namesOf(tx: Db, { company_id, id }: JobRef, keys: string[]) {
  const rows = await tx
    .selectFrom('job_problem_groups')
    .select(['key', 'names'])
    .where('company_id', '=', company_id)
    .where('job_id', '=', id)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, names }) => [key, names as string[]]))
}

export async function removeProblems(tx: Db, { company_id, id }: JobRef) {
  await sql`delete from job_problems where company_id = ${company_id} and job_id = ${id}`.execute(tx)
  await sql`delete from job_problem_groups where company_id = ${company_id} and job_id = ${id}`.execute(tx)
}

/** The first of them, and all of them by kind. */
export async function problemsOfJob(
  db: Db,
  { company_id, id, input }: Job,
): Promise<Pick<Output<typeof jobs.getJob>, 'problems' | 'problem_groups'>> {
  const problems = await db
    .selectFrom('job_problems')
    .select(['part', 'line', 'record_id', 'message', 'is_note'])
    .where('company_id', '=', company_id)
    .where('job_id', '=', id)
    .orderBy('position')
    .limit(mostProblems)
    .execute()
  const stored = await db
    .selectFrom('job_problem_groups')
    .select(['part', 'message', 'is_note', 'count', 'first_rows', 'names'])
    .where('company_id', '=', company_id)
    .where('job_id', '=', id)
    .orderBy('is_note')
    .orderBy('count', 'desc')
    .orderBy('message')
    .limit(mostProblemGroups)
    .execute()
  // An earlier version has stored none.
  const groups = stored.length ? (stored as unknown as ProblemGroup[]) : [...groupsOf(problems).values()]
  const { files } = input as { files?: { file_id: string; file_name: string }[] }
  const fileOf = (part: number | null) => (part === null ? undefined : files?.[part])
  return {
    problems: problems.map(({ part, ...problem }) => ({ file_name: fileOf(part)?.file_name ?? null, ...problem })),
    problem_groups: groups.map(({ part, first_rows, message, names, ...group }) => ({
      file_id: fileOf(part)?.file_id ?? null,
      file_name: fileOf(part)?.file_name ?? null,
      ...group,
      message: named(message, names),
      first: first_rows.slice(0, mostProblemRows),
    })),
  }
}

type Grouped = { [Key in 'part' | 'line' | 'record_id']?: Problem[Key] | null } & Pick<
  Problem,
  'message' | 'is_note' | 'kinds'
>

/** With the name that all rows have, or the first of them. */
function named(message: string, names: string[]) {
  if (!names.length) return message
  const shown = names.slice(0, mostNames).map((name) => `“${name}”`)
  const all = names.length > mostNames ? [...shown, 'others'] : shown
  return message.replace(blank, () => list.format(all))
}

const list = new Intl.ListFormat('en', { type: 'disjunction' })

/** A row with several problems is in several groups, and once in each. */
function groupsOf(problems: Grouped[]): Map<string, ProblemGroup> {
  const groups = new Map<string, ProblemGroup>()
  for (const { part = null, line = null, record_id = null, is_note = false, message, kinds } of problems) {
    const byMessage = new Map((kinds ?? [{ message, value: null }]).map((kind) => [kind.message, kind]))
    for (const [message, { value, names = [] }] of byMessage) {
      const key = hashed(JSON.stringify([part, is_note, message]))
      const group = groups.get(key) ?? { part, message, is_note, count: 0, first_rows: [], names: [] }
      groups.set(key, group)
      group.count++
      if (group.names.length <= mostNames) group.names = joined(group.names, names)
      if (group.first_rows.length < mostProblemRows) group.first_rows.push({ line, record_id, value })
    }
  }
  return groups
}

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)
