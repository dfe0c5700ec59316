// Finds the records that the rows of an import change.
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { idColumn } from '../../platform/csv.ts'
import { foldedName, recordsNamed } from '../names/named-records.ts'
import { holdersOf, keysOf } from '../read/by-unique.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Reading } from '../values/read-values.ts'
import { readValues } from '../values/read-values.ts'
import { titleOf } from '../values/title.ts'
import { lock } from '../write/lock.ts'
import { lockKeys } from '../write/upsert.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { namedBy, namesOf, ownRelations } from './import-names.ts'
import { titleKeys, titleTarget } from './mapping.ts'

/**
 * Rows in the order in which they depend on each other: one that changes the same record as an earlier row, or that names
 * a record which an earlier row creates, is in a later wave. A wave is written before the next is looked at.
 */
export function inWaves(target: Target, input: ImportInput, lines: Line[], reading: Reading): Line[][] {
  const relations = ownRelations(target, input)
  if (input.mode === 'create' && !relations.length) return [lines]
  const next = new Map<string, number>()
  const waves: Line[][] = []
  for (const line of lines) {
    const keys = matchKeys(target, input, line, reading).map((key) => `match ${key}`)
    const wave = Math.max(0, ...[...keys, ...namedBy(target, relations, line)].map((key) => next.get(key) ?? 0))
    const names = relations.length ? namesOf(target, line, reading) : []
    for (const key of [...keys, ...names]) next.set(key, wave + 1)
    waves[wave] ??= []
    waves[wave].push(line)
  }
  return waves
}

/** Gives each line its record, or says why there is none. Locks the records. */
export async function matchLines(target: Target, input: ImportInput, lines: Line[], reading: Reading) {
  const { mode, match_by } = input
  await findCorrected(target, lines)
  if (mode === 'create') return
  const keys = lines.map((line) => matchKeys(target, input, line, reading))
  const idsOf =
    match_by === 'id'
      ? (i: number) => keys[i]!
      : isByTitle(target, input)
        ? await idsByTitle(target, keys)
        : await idsByKey(target, matchField(target, input)!, keys)
  const found = await lock(target, [...new Set(lines.flatMap((_, i) => idsOf(i)))])
  for (const [i, line] of lines.entries()) {
    if (line.before) continue
    const records = idsOf(i).flatMap((id) => found.get(id) ?? [])
    if (records.length > 1)
      line.faults.push(`This row matches ${records.length} records: ${records.map(({ title }) => title).join(', ')}`)
    line.before = records[0]
    if (!records.length && !isFaulty(target, input, line, reading))
      line.faults.push(...withoutRecord(target, input, line, keys[i]!))
  }
}

/** Rows that were imported before, without what could not be read. Their records may have been deleted since. */
async function findCorrected(target: Target, lines: Line[]) {
  const byId = Map.groupBy(lines, ({ corrected_id }) => corrected_id)
  byId.delete(undefined)
  if (!byId.size) return
  const found = await lock(target, [...byId.keys()] as string[])
  for (const [id, [first, ...repeated]] of byId) {
    first!.before = found.get(id!)
    for (const line of repeated) line.faults.push(`Line ${first!.row.line} has the same ${idColumn}`)
  }
}

/** A value that cannot be read is reported as such, and not as one that does not exist. */
function isFaulty(target: Target, input: ImportInput, { values, path }: Line, reading: Reading) {
  const field = matchField(target, input)
  const value = field && values[field.key]
  if (!field || value === undefined || value === null) return false
  return readValues(target.schema, target.object, { [field.key]: value }, path, reading).faults.length > 0
}

function withoutRecord({ object }: Target, { mode, match_by }: ImportInput, { id }: Line, keys: string[]): string[] {
  const label = inSentence(object.label)
  if (match_by === 'id' && (id !== undefined || mode === 'update'))
    return [id === undefined ? 'This row has no ID' : `There is no ${label} with this ID`]
  if (match_by !== 'id' && !keys.length) return [`Without ${match_by}, this row cannot be matched`]
  return mode === 'update' ? [`No ${label} has this value in ${match_by}`] : []
}

const matchField = ({ object }: Target, { match_by }: ImportInput) => object.byKey.get(match_by ?? '')

/** The ids or unique values by which a line finds its record. */
export function matchKeys(target: Target, input: ImportInput, line: Line, reading: Reading): string[] {
  const { id, values, path } = line
  if (input.match_by === 'id') return id !== undefined && isId(id) ? [id] : []
  if (isByTitle(target, input)) return hasTitle(target, line) ? [foldedName(titleOf(target.object, values))] : []
  const field = matchField(target, input)
  const value = field && values[field.key]
  if (!field || value === undefined || value === null) return []
  const read = readValues(target.schema, target.object, { [field.key]: value }, path, reading)
  return read.faults.length ? [] : keysOf(target, field, read.values[field.key])
}

/** Names are not unique, but most exports have nothing else for organizations. */
export const isByTitle = ({ object }: Target, { match_by }: Pick<ImportInput, 'match_by'>) =>
  match_by !== undefined && match_by === titleTarget(object) && !object.byKey.get(match_by)?.is_unique

const hasTitle = ({ object }: Target, { values }: Line) =>
  titleKeys(object).some((key) => values[key] !== undefined && values[key] !== null)

/** Rows of the same name wait for each other: the second finds the record of the first. */
async function idsByTitle(target: Target, keys: string[][]) {
  const { context, schema, object } = target
  await lockKeys(target, object, keys.flat())
  const names = [...new Set(keys.flat())]
  const found = await recordsNamed(
    context,
    schema,
    names.map((text) => ({ objects: [object.key], text })),
  )
  const byName = new Map(names.map((name, i) => [name, found[i]!.filter(({ title }) => foldedName(title) === name)]))
  return (i: number) => keys[i]!.flatMap((key) => byName.get(key) ?? []).map(({ id }) => id)
}

async function idsByKey(target: Target, field: Field, keys: string[][]) {
  await lockKeys(target, field, keys.flat())
  const holderOf = await holdersOf(
    target,
    keys.flat().map((key) => ({ field, key })),
  )
  return (i: number) => [...new Set(keys[i]!.flatMap((key) => holderOf({ field, key }) ?? []))]
}
