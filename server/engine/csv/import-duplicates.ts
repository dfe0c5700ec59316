// Rows whose record probably exists, although no value that is unique says so.
import { randomUUIDv7 } from 'node:crypto'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { actorOf } from '../../kernel/context.ts'
import { factsOf } from '../duplicates/facts.ts'
import { type Found, findDuplicates, seenDuplicates } from '../duplicates/find.ts'
import type { Target } from '../schema/target.ts'
import type { Stored } from '../values/from-row.ts'
import { newRow } from '../values/new-row.ts'
import { type Reading, readValues } from '../values/read-values.ts'
import { lock } from '../write/lock.ts'
import type { ImportInput } from './import-input.ts'
import { isOpen, type Line } from './import-line.ts'

/**
 * Decides about the rows that would create a record. Returns those that are the same as a row of this step, which has to be
 * written before they can update it.
 */
export async function matchDuplicates(target: Target, input: ImportInput, lines: Line[], reading: Reading) {
  const { on_duplicate = 'create' } = input
  if (on_duplicate === 'create') return []
  const { context, schema, object } = target
  const open = lines.filter((line) => isOpen(line) && !line.before && !line.isSkipped)
  const drafts = open.map(({ values, path }) => readValues(schema, object, values, path, reading).values)
  const rows = drafts.map((values) => newRow(target, randomUUIDv7(), values, null))
  const wanted = rows.map((record) => ({ record, facts: factsOf(object, record.values) }))
  const found = await findDuplicates(context.db, actorOf(context).company_id, object, wanted)
  const lineOf = new Map(rows.map(({ id }, i) => [id, open[i]!]))
  const later: Line[] = []
  const updates: { line: Line; id: string }[] = []
  for (const [i, line] of open.entries()) {
    const { visible, hidden } = seenDuplicates(context, object, found[i]!)
    const [first] = visible
    const earlier = first && lineOf.get(first.record.id)
    if (on_duplicate === 'fail' && (first || hidden)) line.faults.push(sameAs(target, first, earlier))
    else if (first?.likeness !== 'certain') {
      if (first) line.notes.push(sameAs(target, first, earlier))
    } else if (on_duplicate === 'skip') {
      line.isSkipped = true
      line.notes.push(`Skipped. ${sameAs(target, first, earlier)}`)
    } else if (earlier) later.push(line)
    else updates.push({ line, id: first.record.id })
  }
  const locked = updates.length
    ? await lock(target, [...new Set(updates.map(({ id }) => id))])
    : new Map<string, Stored>()
  for (const { line, id } of updates) line.before = locked.get(id)
  return later
}

function sameAs({ object }: Target, found: Found | undefined, earlier: Line | undefined) {
  if (!found) return `Probably the same as ${inSentence(object.label_plural)} that you cannot read`
  const other = earlier ? `line ${earlier.row.line}` : found.record.title
  return `Probably the same as ${other}: ${found.reasons.join(', ')}`
}
