// Reads the input for several records, and refuses it as a whole with all errors.
import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, may } from '../../kernel/context.ts'
import { withStageOfPipeline } from '../built-in/deals/stage.ts'
import { resolveFiles } from '../files/resolve-files.ts'
import { type Draft, resolveReferences } from '../names/resolve-references.ts'
import type { Target } from '../schema/target.ts'
import type { Values } from '../values/from-row.ts'
import { changedList, isListChange, mostValues } from '../values/list-change.ts'
import { aboutCountry, type Reading, readValues } from '../values/read-values.ts'

const mostErrors = 100

/** The input in the form in which it is stored. */
export async function readAll(target: Target, given: Draft[]): Promise<Values[]> {
  const inputs = given.map((draft) => ({
    ...draft,
    values: withStageOfPipeline(target, draft.values, draft.before?.values),
  }))
  const read = readEach(target, inputs)
  const resolved = await resolveReferences(
    target,
    inputs.map((input, i) => ({ ...input, values: read[i]! })),
  )
  const { values: all, faults } = await resolveFiles(target, inputs, resolved.values)
  refuseFaults([...resolved.faults, ...faults])
  return all.map((values, i) => withListChanges(target, values, inputs[i]!))
}

/** Replaces the values to add and remove with the resulting list. */
function withListChanges({ schema, object }: Target, values: Values, { before, path }: Draft): Values {
  const entries = Object.entries(values).map(([key, value]) => {
    if (!isListChange(value)) return [key, value]
    const list = changedList(schema, object.byKey.get(key)!, before && own(before.values, key), value)
    if (list && list.length > mostValues)
      refuseFaults([{ path: `${path}.${key}`, message: `Use at most ${mostValues} values` }])
    return [key, list]
  })
  return Object.fromEntries(entries)
}

/** Does not look up users and records. */
export function readEach(target: Target, inputs: Pick<Draft, 'values' | 'path'>[]): Values[] {
  const { schema, object } = target
  const reading = readingFor(target)
  const faults: FieldError[] = []
  const all: Values[] = []
  for (const { values, path } of inputs) {
    const read = readValues(schema, object, values, path, reading)
    all.push(read.values)
    faults.push(...read.faults)
    if (faults.length >= mostErrors) break
  }
  refuseFaults(faults)
  return all
}

export function readingFor({ context, schema }: Target): Reading {
  const actor = actorOf(context)
  const mayAdd = may(actor, 'objects.manage')
  // What a lead source leaves out is read by people, however it was sent.
  const isAgent = context.door === 'mcp' && !context.principal
  const nextStep = isAgent ? 'Add it with update_field' : 'Add it to the options of the field'
  return {
    here: { now: context.now, timeZone: actor.time_zone ?? schema.time_zone, firstWeekday: schema.first_weekday },
    aboutOptions: mayAdd ? nextStep : 'Ask an Admin to add it',
    aboutCountry,
    suggestions: 5,
  }
}

export function refuseFaults(faults: FieldError[]) {
  if (!faults.length) return
  const words = inWords(faults).slice(0, 20)
  throw new AppError('invalid_input', `Correct this and send it again; nothing was written. ${words.join('; ')}`, {
    errors: faults.slice(0, mostErrors),
  })
}

/** An error that many records have in common is reported once. */
function inWords(faults: FieldError[]) {
  const alike = Map.groupBy(faults, ({ path, message }) => `${path.replace(/\.\d+/g, '')} ${message}`)
  return [...alike.values()].map(([first, ...others]) => {
    const similar = others.length ? ` (and ${others.length} more like it)` : ''
    return `${first!.path}: ${first!.message}${similar}`
  })
}
