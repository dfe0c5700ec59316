import { type FieldOption, optionColors } from '../../../../contract/objects.ts'
import { freeKey } from './keys.ts'

export type Color = (typeof optionColors)[number]
/** As it stands in the form. `id` is the key, or stands for one that is made of the label when it is sent. */
export type DraftOption = Omit<FieldOption, 'key'> & { id: string; isNew: boolean }

export const draftOf = ({ key, ...option }: FieldOption): DraftOption => ({ ...option, id: key, isNew: false })

let count = 0
/** Each new one in the next colour, so that they can be told apart without a further click. */
export const newOption = (others: DraftOption[]): DraftOption => ({
  id: `new ${++count}`,
  isNew: true,
  label: '',
  color: optionColors[1 + (others.length % (optionColors.length - 1))]!,
})

/**
 * What the operations take: the options with keys, and the default by those keys. Empty rows at the end are none,
 * but for the fewest that there must be.
 */
export function sentOptions(draft: DraftOption[], default_value: unknown, fewest = 0) {
  const filled = 1 + draft.findLastIndex(({ isNew, label }) => !isNew || label.trim())
  const options = draft.slice(0, Math.max(filled, fewest))
  const taken = new Set(options.filter(({ isNew }) => !isNew).map(({ id }) => id))
  const keys = new Map<unknown, string>()
  for (const { id, isNew, label } of options) {
    const key = isNew ? freeKey(label, taken, `option_${keys.size + 1}`) : id
    taken.add(key)
    keys.set(id, key)
  }
  return {
    options: options.map(({ id, isNew: _, ...option }) => ({ key: keys.get(id)!, ...option })),
    default_value: Array.isArray(default_value)
      ? default_value.flatMap((id) => keys.get(id) ?? [])
      : (keys.get(default_value) ?? null),
  }
}
