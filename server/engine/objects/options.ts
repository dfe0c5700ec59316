// The options of a select field.
import { sql } from 'kysely'
import { fold } from '../../../contract/filter/index.ts'
import type { objects } from '../../../contract/objects.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { isInherited } from '../../../contract/own.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Field, ObjectSchema, Option } from '../schema/schema.ts'
import { misfit } from './store.ts'

export const isChoice = (type: string) => type === 'select' || type === 'multi_select'

type GivenOption = NonNullable<Parsed<typeof objects.createField>['options']>[number]

export function withKeys(given: GivenOption[], known: Option[]): Option[] {
  const taken = new Set<string>()
  return given.map(({ key, label, color, kind }, i) => {
    const made = key ?? known.find((one) => one.label === label)?.key ?? keyFrom(label, i)
    if (isInherited(made) && !known.some((one) => one.key === made))
      throw misfit(`options.${i}.key`, `The key ${made} is reserved. Choose another key`)
    if (taken.has(made)) throw misfit(`options.${i}.key`, `The key ${made} is there twice`)
    taken.add(made)
    return { key: made, label, ...(color && { color }), ...(kind && { kind }) }
  })
}

function keyFrom(label: string, i: number) {
  const made = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(\d)/, 'o$1')
    .slice(0, 60)
  if (isInherited(made)) return `${made}_option`
  return made || `option_${i + 1}`
}

/** An option that records have cannot go: it would leave values that mean nothing. */
export async function changeOptions(context: Context, object: ObjectSchema, field: Field, given: GivenOption[]) {
  if (!isChoice(field.type)) throw misfit('options', 'Only select and multi_select have options')
  const options = withKeys(given, field.options ?? [])
  const gone = (field.options ?? []).filter(({ key }) => !options.some((one) => one.key === key))
  for (const { key, label } of gone) {
    const shape = JSON.stringify({ [field.key]: field.type === 'multi_select' ? [key] : key })
    const has = field.slot ? sql`${sql.ref(field.slot)} = ${key}` : sql`match @> ${shape}::jsonb`
    const { rows } =
      await sql`select 1 from records where company_id = ${actorOf(context).company_id} and object_id = ${object.id} and ${has} limit 1`.execute(
        context.db,
      )
    if (rows.length)
      throw misfit('options', `There are records with the option ${label}. Change them first`, 'conflict')
  }
  return options
}
