import { inSentence } from '../../contract/in-sentence.ts'
import { asNumber } from '../ui/numbers.ts'

type Named = { label: string; label_plural: string }

/** "1,240 people" */
export const counted = (count: number, object: Named) => `${asNumber(count)} ${nounFor(count, object)}`

export const nounFor = (count: number, { label, label_plural }: Named) => inSentence(count === 1 ? label : label_plural)

export const pluralOf = (object: Named) => nounFor(2, object)
