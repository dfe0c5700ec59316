import { asNumber } from '../ui/numbers.ts'

type Named = { label: string; label_plural: string; is_built_in: boolean }

/** "1,240 people". A name that the company gave keeps its capitals. */
export function counted(count: number, { label, label_plural, is_built_in }: Named) {
  const noun = count === 1 ? label : label_plural
  return `${asNumber(count)} ${is_built_in ? noun.toLowerCase() : noun}`
}
