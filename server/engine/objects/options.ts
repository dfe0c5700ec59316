// The options of a select field.

import { sql } from 'kysely'
import { openChoices } from '../../../contract/built-in/objects.ts'
import { fold } from '../../../contract/filter/index.ts'
import type { FieldOption, objects } from '../../../contract/objects.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { isInherited } from '../../../contract/shared/own.ts'
import { deceptive } from '../../../contract/shared/shapes.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'

/** Whether its options are the pipelines or stages. */
export const isOfPipelines = ({ built_in_key: object }: ObjectSchema, { built_in_key }: Field) =>
  object === 'deals' && (built_in_key === 'pipeline' || built_in_key === 'stage')

/** Whether imports and converted leads add options to it, because it used to be a text. */
export const isOpenChoice = ({ built_in_key: object }: ObjectSchema, { built_in_key, type }: Field) =>
  type === 'select' && (openChoices[object as 'deals'] ?? []).includes(built_in_key ?? '')

export const isChoice = (type: string) => type === 'select' || type === 'multi_select'

type GivenOption = NonNullable<Parsed<typeof objects.createField>['options']>[number]

export function withKeys(given: GivenOption[], known: FieldOption[]): FieldOption[] {
  const taken = new Set<string>()
  return given.map(({ key, label, color, kind }, i) => {
    const optionKey = key ?? known.find((option) => option.label === label)?.key ?? keyFrom(label, i)
    if (isInherited(optionKey) && !known.some((option) => option.key === optionKey))
      throw refused(`options.${i}.key`, `The key ${optionKey} is reserved. Choose another key`)
    if (taken.has(optionKey)) throw refused(`options.${i}.key`, `The key ${optionKey} appears twice`)
    taken.add(optionKey)
    return { key: optionKey, label, ...(color && { color }), ...(kind && { kind }) }
  })
}

export function keyFrom(label: string, i: number) {
  const key = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(\d)/, 'o$1')
    .slice(0, 60)
  if (isInherited(key)) return `${key}_option`
  return key || `option_${i + 1}`
}

/** Labels that differ only in signs would get the same key. */
export function withNewOptions(options: FieldOption[], labels: string[]) {
  const taken = new Set(options.map(({ key }) => key))
  const added = labels.map((label, i) => {
    const base = keyFrom(label, options.length + i)
    let key = base
    for (let n = 2; taken.has(key); n++) key = `${base.slice(0, 55)}_${n}`
    taken.add(key)
    return { key, label }
  })
  return [...options, ...added]
}

/** The option that a text stands for. */
export const optionLike = (options: FieldOption[], value: unknown) =>
  typeof value === 'string'
    ? options.find(({ label }) => fold(label) === fold(value.trim().replace(/\s+/g, ' ')))
    : undefined

const longestLabel = 100

export const isLabel = (text: string) => text !== '' && text.length <= longestLabel && !deceptive.test(text)

/** An option that records use cannot be removed, because their values would lose their meaning. */
export async function changeOptions(context: Context, object: ObjectSchema, field: Field, given: GivenOption[]) {
  if (!isChoice(field.type)) throw refused('options', 'Only fields of type select and multi_select have options')
  if (isOfPipelines(object, field))
    throw refused('options', 'Pipelines and stages have their own operations. Use /pipelines to change them')
  const options = withKeys(given, field.options ?? [])
  const removed = (field.options ?? []).filter(({ key }) => !options.some((option) => option.key === key))
  for (const { key, label } of removed) {
    const shape = JSON.stringify({ [field.key]: field.type === 'multi_select' ? [key] : key })
    const hasOption = field.slot ? sql`${sql.ref(field.slot)} = ${key}` : sql`match @> ${shape}::jsonb`
    const { rows } =
      await sql`select 1 from records where company_id = ${actorOf(context).company_id} and object_id = ${object.id} and ${hasOption} limit 1`.execute(
        context.db,
      )
    if (rows.length) throw refused('options', `Some records use the option ${label}. Change them first`, 'conflict')
  }
  return options
}
