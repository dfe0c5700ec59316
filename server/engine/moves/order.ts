// The order in which the files of a move are imported: those that others link to come first.
import type { Schema } from '../schema/schema.ts'

type File = { object: string; mapping: { key: string; part?: string }[] }

export function inOrder<F extends File>(schema: Schema, files: F[]): F[] {
  const left = [...files]
  const ordered: F[] = []
  const linksTo = (file: F, other: F) => other.object !== file.object && linkedBy(schema, file).has(other.object)
  while (left.length) {
    const waits = (file: F) => left.filter((other) => other !== file && linksTo(file, other)).length
    // Files that link to each other: the one with the fewest links begins.
    const next = left.reduce((best, file) => (waits(file) < waits(best) ? file : best))
    ordered.push(...left.splice(left.indexOf(next), 1))
  }
  return ordered
}

/** The objects that the rows of a file link to. */
export function linkedBy({ objects }: Schema, { object, mapping }: File): Set<string> {
  const fields = objects.get(object)?.byKey
  return new Set(
    mapping.flatMap(({ key, part }) => {
      const field = fields?.get(key)
      if (field?.type !== 'relation') return []
      return part ? [part] : field.to_objects?.length ? field.to_objects : [...objects.keys()]
    }),
  )
}
