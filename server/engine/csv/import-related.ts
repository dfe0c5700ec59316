// Related records that rows of an import name and that do not exist yet: each is created once, before the rows.
import { randomUUIDv7 } from 'node:crypto'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { StepTools } from '../../jobs/job.ts'
import { personNames, uninverted } from '../cells/person-names.ts'
import { foldedName } from '../names/named-records.ts'
import { builtInInUse, type ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Values } from '../values/from-row.ts'
import { readValues } from '../values/read-values.ts'
import { defaultsOf, newRecords } from '../write/create.ts'
import { saveChanges } from '../write/save.ts'
import { findConflicts } from '../write/unique-conflicts.ts'
import type { Seen } from './import-dry-run.ts'
import { isOpen, type Line } from './import-line.ts'
import { hasFullName } from './mapping.ts'

type Missing = { id: string; object: ObjectSchema; text: string; users: { line: Line; column: string }[] }
export type Related = ReturnType<typeof relatedRecords>

/** Collects them: rows already refer to the ids that they will have. */
export function relatedRecords() {
  const missing = new Map<string, Missing>()
  return {
    add(object: ObjectSchema, text: string, line: Line, column: string) {
      const key = keyOf(object, text)
      const one = missing.get(key) ?? { id: randomUUIDv7(), object, text: text.trim(), users: [] }
      one.users.push({ line, column })
      missing.set(key, one)
      return one.id
    },
    /** Those that a line needs which can be imported. */
    needed: () => [...missing.values()].filter(({ users }) => users.some(({ line }) => isOpen(line))),
  }
}

/** "Smith, John" is John Smith. */
const keyOf = (object: ObjectSchema, text: string) =>
  `${object.key} ${foldedName((hasFullName(object) && uninverted(text)) || text)}`

/** How many were created, by object. The lines of one that cannot be created fail. */
export async function createRelated({ write }: StepTools, target: Target, related: Related, dry: Seen | undefined) {
  const counts: Record<string, number> = {}
  for (const [object, missing] of Map.groupBy(related.needed(), (one) => one.object)) {
    const there: Target = { ...target, object }
    const { changes, problems } = await draft(there, missing)
    const created = dry
      ? changes.filter((_, i) => isFirst(dry, keyOf(object, missing[i]!.text))).length
      : await write(
          changes.filter(({ after }) => !problems.has(after.id)),
          async (context, some) => {
            await saveChanges({ ...there, context }, some, false)
            return some.length
          },
          ({ after }, { message }) => problems.set(after.id, message),
        )
    if (created) counts[object.key] = created
    for (const { id, text, users } of missing)
      for (const { line, column } of problems.has(id) ? users : [])
        line.faults.push(
          `${column}: ${inSentence(object.label)} ${text.slice(0, 60)} could not be created. ${problems.get(id)}`,
        )
  }
  return counts
}

function isFirst({ related }: Seen, key: string) {
  if (related.has(key)) return false
  related.add(key)
  return true
}

async function draft(target: Target, missing: Missing[]) {
  const { schema, object } = target
  const problems = new Map<string, string>()
  const pathOf = (i: number) => `related.${i}`
  const sent = missing.map(({ text }) => valuesFor(object, text))
  const read = sent.map((values, i) => readValues(schema, object, { ...defaultsOf(target), ...values }, pathOf(i)))
  const drafts = read.map(({ values }) => values)
  const ids = missing.map(({ id }) => id)
  const { changes, faults } = await newRecords(target, drafts, sent, pathOf, { ids })
  for (const { path, message } of [...read.flatMap((one) => one.faults), ...faults]) {
    const [, i, field] = path.split('.')
    problems.set(ids[Number(i)]!, `${field}: ${message}`)
  }
  for (const { record_id, message } of await findConflicts(target, changes)) problems.set(record_id, message)
  return { changes, problems }
}

/** A person by e-mail address or full name; everything else by its name or first text. */
function valuesFor(object: ObjectSchema, text: string): Values {
  const email = object.fields.find(({ type }) => type === 'email')
  if (email && /^\S+@\S+$/.test(text)) return { [email.key]: email.is_multi ? [text] : text }
  const [first, last] = [builtInInUse(object, 'first_name'), builtInInUse(object, 'last_name')]
  const [given, family] = personNames(text)
  if (first && last && given && family) return { [first.key]: given, [last.key]: family }
  const name =
    builtInInUse(object, 'name') ??
    builtInInUse(object, 'title') ??
    object.byKey.get('name') ??
    object.byKey.get('title')
  const field = name ?? first ?? object.fields.find(({ type, is_multi }) => type === 'text' && !is_multi)
  return field ? { [field.key]: text } : {}
}
