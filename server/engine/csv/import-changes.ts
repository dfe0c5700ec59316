// What the rows of an import make of records: new ones, or changes of those that exist.
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { withStageOfPipeline, withStageOfStatus } from '../built-in/deals/stage.ts'
import { withCompletionTime, withImportedTimes } from '../built-in/imported-times.ts'
import { allows, isOwn, rightsFor } from '../rights/rights.ts'
import { builtInInUse } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Values } from '../values/from-row.ts'
import { changedList, isList, mostValues } from '../values/list-change.ts'
import { instantOf } from '../values/read-times.ts'
import type { Reading } from '../values/read-values.ts'
import { defaultsOf, newRecords } from '../write/create.ts'
import { findCircles } from '../write/parent-circles.ts'
import { findConflicts } from '../write/unique-conflicts.ts'
import { changedRecord } from '../write/update.ts'
import { withKnown } from '../write/upsert.ts'
import type { ImportInput } from './import-input.ts'
import { isOpen, type Line } from './import-line.ts'
import type { Phase } from './import-rows.ts'
import { addFaults, addUnreadable, readLeavingOut } from './import-unreadable.ts'
import { fieldCalled, isCompletion } from './mapping.ts'

export type Drafted = { line: Line; change: Change }
type Work = { target: Target; input: ImportInput; reading: Reading; phase: Phase }

/** The changes of the lines without faults, which may get some here. */
export async function changesOf({ target, input, reading, phase }: Work, lines: Line[]) {
  const byPath = new Map(lines.map((line) => [line.path, line]))
  const drafts = new Map<Line, Values>()
  const breathe = breathing()
  for (const line of lines) {
    const given = withStageOfPipeline(target, valuesOf(target, input, line), line.before?.values)
    const { values, faults } = readLeavingOut({ target, input }, line, withStatus(target, given, line), reading)
    addFaults({ target, input }, byPath, faults)
    readOriginTime(target, input, line, reading)
    const { created_at } = line.origin
    const done = withCompleted(target, input, line, values, reading)
    const timed = line.before
      ? done
      : withImportedTimes(target, done, { created_at, closing: line.closing, here: reading.here! })
    drafts.set(line, withLists(target, input, line, timed))
    await breathe()
  }
  const left = lines.filter(isOpen)
  const [added, kept] = [left.filter(({ before }) => !before), left.filter(({ before }) => before)]
  const fresh = await newRecords(
    target,
    added.map((line) => drafts.get(line)!),
    added.map(({ values }) => values),
    (i) => added[i]!.path,
    { isImported: true },
  )
  const changed = kept.map((line) => changedRecord(target, line.before!, drafts.get(line)!, line.path))
  addFaults({ target, input }, byPath, [...fresh.faults, ...changed.flatMap(({ faults }) => faults)])
  // The links of a new record belong to it.
  for (const line of phase === 'links' ? [] : kept)
    if (!mayEdit(target, line)) line.faults.push('Your role does not let you change this record')
  const created = added.map((line, i): Drafted => ({ line, change: withOrigin(fresh.changes[i]!, line) }))
  const updated = kept.map((line, i): Drafted => ({ line, change: changed[i]!.change }))
  await addConflicts(target, [...created, ...updated])
  return { created, updated }
}

function withStatus(target: Target, values: Values, { status, values: sent, before, leftOut }: Line): Values {
  if (!status) return values
  const closed = builtInInUse(target.object, 'closed_at')?.key
  const isReopened = status === 'open' && closed !== undefined && own(sent, closed) !== undefined
  if (isReopened) {
    delete sent[closed]
    leftOut.push('The deal is open, so its closing time was left out')
  }
  const left = isReopened ? Object.fromEntries(Object.entries(values).filter(([key]) => key !== closed)) : values
  return withStageOfStatus(target, left, { sent, before: before?.values, status })
}

function readOriginTime(target: Target, input: ImportInput, line: Line, { here }: Reading) {
  const { created_at } = line.origin
  if (created_at === undefined) return
  const at = pastOf(target, created_at, here)
  if (at) line.origin.created_at = at
  else {
    delete line.origin.created_at
    const mapped = input.mapping.find(({ key }) => key === 'created_at')!
    addUnreadable({ target, input }, line, mapped, 'Use a time in the past for when the record was created')
  }
}

function pastOf({ context }: Target, text: string, here: Reading['here']) {
  const at = instantOf(text, here)
  return at && at <= context.now.toISOString() ? at : undefined
}

/** A task that its file says to be completed is done, unless its status says otherwise. */
function withCompleted(target: Target, input: ImportInput, line: Line, values: Values, { here }: Reading): Values {
  const { completed, before } = line
  if (completed === undefined || completed === false) return values
  const at = completed === true ? undefined : pastOf(target, completed, here)
  if (completed !== true && !at) {
    const mapped = input.mapping.find((one) => isCompletion(target.object, one))!
    addUnreadable({ target, input }, line, mapped, 'Use a time in the past for when the task was completed')
    return values
  }
  const status = builtInInUse(target.object, 'status')?.key
  const isSent = status !== undefined && (line.values[status] ?? null) !== null
  return withCompletionTime(target, values, { completed_at: at, isSent, before: before?.values })
}

/** Only the record itself says so: the change set has who imported it, and when. */
function withOrigin(change: Change, { origin: { created_at, created_by } }: Line): Change {
  const origin = { ...(created_at !== undefined && { created_at }), ...(created_by !== undefined && { created_by }) }
  return { ...change, after: { ...change.after, ...origin } }
}

/** What the record gets: an empty cell of a new record means its default; for a user such as the owner, that it has none. */
function valuesOf(target: Target, { match_by, mapping }: ImportInput, { values, before }: Line): Values {
  const { object } = target
  if (!before) {
    const users = mapping.filter(({ key }) => fieldCalled(object, key)?.type === 'user').map(({ key }) => [key, null])
    const filled = Object.entries(values).filter(([, value]) => value !== null)
    return { ...defaultsOf(target), ...Object.fromEntries(users), ...Object.fromEntries(filled) }
  }
  const field = object.byKey.get(match_by ?? '')
  if (!field) return values
  return { ...values, [field.key]: withKnown(target, field, own(before.values, field.key), values[field.key]) }
}

/** What the lists of an existing record become. */
function withLists({ schema, object }: Target, { lists }: ImportInput, line: Line, values: Values): Values {
  const { before, faults } = line
  if (!before || lists === 'replace') return values
  const entries = Object.entries(values).map(([key, value]) => {
    const field = object.byKey.get(key)
    if (!field || !isList(field) || !Array.isArray(value)) return [key, value]
    const joined = changedList(schema, field, own(before.values, key), { add: value })
    if (joined && joined.length > mostValues) faults.push(`${field.label}: use at most ${mostValues} values`)
    return [key, joined]
  })
  return Object.fromEntries(entries)
}

function mayEdit({ context, object }: Target, { before }: Line) {
  const actor = actorOf(context)
  return allows(rightsFor(actor, object.key).edit, isOwn(actor, object, before!))
}

/** Unique values that another record or an earlier row has, and parents that are below their children. */
async function addConflicts(target: Target, drafted: Drafted[]) {
  const left = drafted.filter(({ line }) => isOpen(line))
  const lines = new Map(left.map(({ line, change }) => [change.after.id, line]))
  const changes = left.map(({ change }) => change)
  const conflicts = [...(await findConflicts(target, changes)), ...(await findCircles(target, changes))]
  const firstWith = (value: string | undefined) =>
    left.find(({ change }) => change.row.uniques.some(({ key }) => key === value))?.line.row.line
  for (const { record_id, code, value, message } of conflicts) {
    const other = code === 'used_twice' ? firstWith(value) : undefined
    // IDs are for programs.
    const said = message.replace(idInBrackets, '')
    lines.get(record_id)!.faults.push(other === undefined ? said : `${value} is also in line ${other}`)
  }
}

const idInBrackets = / \([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)/g
