import { asNumber } from '../ui/numbers.ts'

type Named = { label: string; label_plural: string; is_built_in: boolean }

/** "1,240 people" */
export const counted = (count: number, object: Named) => `${asNumber(count)} ${nounFor(count, object)}`

/** A name that the company gave keeps its capitals. */
export function nounFor(count: number, { label, label_plural, is_built_in }: Named) {
  const noun = count === 1 ? label : label_plural
  return is_built_in ? noun.toLowerCase() : noun
}

export const pluralOf = (object: Named) => nounFor(2, object)
