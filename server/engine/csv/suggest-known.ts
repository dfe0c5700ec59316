// Where the columns of a known export go.

import { type KnownColumn, oldId } from './known-exports/known-file.ts'
import { columnIn, knownInto } from './known-exports.ts'
import { type Place, parts, type Wanted } from './targets.ts'

/** By index of the column. Of several for one field, those with values come first, then those that the table names first. */
export function knownColumns(
  { known, object }: Pick<Place, 'known' | 'object'>,
  columns: string[],
  samples: string[][],
): Map<number, KnownColumn> {
  if (!known) return new Map()
  const into = knownInto(known, object.built_in_key)
  const isFilled = (index: number) => samples[index]?.some(Boolean) ?? false
  const found = columns.flatMap((column, index) => {
    const one = columnIn(known.file, into ?? known.file.into[0], column)
    // The records of another object that was chosen have the same IDs.
    return one && (into || one.to === oldId) ? [{ index, ...one }] : []
  })
  const first = found.toSorted(
    (a, b) => Number(isFilled(b.index)) - Number(isFilled(a.index)) || a.order - b.order || a.index - b.index,
  )
  return new Map(first.map(({ index, to }) => [index, to]))
}

/** Whether another column of the file names the same records as these IDs. */
export const isNamedElsewhere = (known: Map<number, KnownColumn>, field: string) => [...known.values()].includes(field)

/** What the table means, in the fields that the company has. */
export function knownTarget(place: Place, targets: Wanted[], name: string): Wanted | undefined {
  const [key, part] = name.split('.')
  const target = targets.find(({ built_in_key }) => built_in_key === key)
  if (!target || part === undefined) return target
  const linked = place.objects.find(({ built_in_key }) => built_in_key === part)?.key ?? part
  return parts(place).find((one) => one.key === `${target.key}.${linked}`)
}
