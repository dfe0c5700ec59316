// Adds the options of select fields that a file names and the company does not have, where the user asked for it, and to
// choices that used to be texts.
import { mostOpenOptions } from '../../../contract/built-in/objects.ts'
import { fold } from '../../../contract/filter/index.ts'
import { actorOf, may } from '../../kernel/context.ts'
import { readCell, readingOf } from '../cells/read-cell.ts'
import { usualOptions } from '../cells/usual-values.ts'
import { updateField } from '../objects/fields.ts'
import { isLabel, isOfPipelines, isOpenChoice, withNewOptions } from '../objects/options.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { findOption } from '../values/read-values.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import { listed, meant, optionKey } from './import-line.ts'
import { fieldCalled, type Mapped } from './mapping.ts'
import type { Row } from './rows.ts'

const mostOptions = 500

/** Labels by the key of their field. */
export type MissingOptions = Map<string, string[]>

/** The options that these rows name, that do not exist, and that the caller may add. */
export function missingOptions(target: Target, input: ImportInput, rows: Row[], seen: Seen): MissingOptions {
  const { context, object } = target
  const missing: MissingOptions = new Map()
  const mayAdd = may(actorOf(context), 'objects.manage')
  for (const key of new Set(input.mapping.filter(({ if_missing }) => if_missing === 'create').map(({ key }) => key))) {
    const field = fieldCalled(object, key)
    if (field?.type !== 'select' && field?.type !== 'multi_select') continue
    const isOpen = isOpenChoice(object, field)
    if (!isOpen && !mayAdd) continue
    const most = isOpen ? mostOpenOptions : mostOptions
    // Stages are added to a pipeline, with more than a label.
    if (isOfPipelines(object, field)) continue
    const labels = missingLabels(target, field, input, rows).filter(
      (label) => !seen.options.has(optionKey(object, key, label)),
    )
    if (labels.length && (field.options?.length ?? 0) + labels.length <= most) missing.set(key, labels)
  }
  return missing
}

/** As if they had been added. */
export function seeOptions({ object }: Target, seen: Seen, missing: MissingOptions) {
  for (const [key, labels] of missing) for (const label of labels) seen.options.add(optionKey(object, key, label))
}

export async function addOptions({ context, object }: Target, missing: MissingOptions) {
  for (const [key, labels] of missing) {
    const options = withNewOptions(fieldCalled(object, key)!.options ?? [], labels)
    await updateField(context, { object: object.key, field: key, options })
  }
}

function missingLabels({ context, schema, object }: Target, field: Field, input: ImportInput, rows: Row[]) {
  const { mapping, format } = input
  const reading = readingOf(format, schema, context.now)
  const columns = mapping.filter(({ key }) => key === field.key)
  const labels = new Map<string, string>()
  for (const { cells } of rows)
    for (const mapped of columns)
      for (const label of labelsIn(
        input,
        mapped,
        usualOptions(object, field, readCell(field, meant(input, mapped, cells[mapped.index] ?? ''), reading)),
      ))
        if (isLabel(label) && !findOption(field, label)) labels.set(fold(label), label)
  return [...labels.values()]
}

const labelsIn = (input: ImportInput, mapped: Mapped, value: unknown) =>
  [listed(input, mapped, value)].flat() as string[]
