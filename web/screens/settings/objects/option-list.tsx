import { ActionIcon, Button, Input, Menu, TextInput } from '@mantine/core'
import { Check, Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { type FieldOption, optionColors } from '../../../../contract/objects.ts'
import { freeKey } from '../../../records/data/field-keys.ts'
import colors from '../../../records/fields/field-value.module.css'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import css from './option-list.module.css'

type Props = {
  options: DraftOption[]
  errors: Record<string, string>
  onChange: (options: DraftOption[]) => void
}

export function OptionList({ options, errors, onChange }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  /** One that is still empty is the next to be filled in. */
  const add = () => {
    const empty = options.findIndex(({ isNew, label }) => isNew && !label.trim())
    if (empty < 0) onChange([...options, newOption(options)])
    const place = empty < 0 ? options.length : empty
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLElement>('li')[place]?.querySelector('input')?.focus(),
    )
  }
  const change = (index: number, patch: Partial<DraftOption>) =>
    onChange(options.with(index, { ...options[index]!, ...patch }))
  const nameOf = ({ label }: DraftOption) => label || 'the new option'
  return (
    <div ref={list}>
      <Input.Label component="div" id={id}>
        Options
      </Input.Label>
      <Input.Description>Lists are sorted in this order. Options in use cannot be removed.</Input.Description>
      <Sortable
        label="Options"
        className={css.options}
        items={options}
        keyOf={(option) => option.id}
        nameOf={nameOf}
        onMove={(from, to) => onChange(moved(options, from, to))}
      >
        {(option, index) => (
          <>
            <ColorChoice of={nameOf(option)} value={option.color} onChange={(color) => change(index, { color })} />
            <TextInput
              className={css.label}
              aria-label={`Label of option ${index + 1}`}
              autoComplete="off"
              value={option.label}
              error={errors[`options.${index}.label`] ?? errors[`options.${index}.key`]}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                if (option.label.trim()) add()
              }}
            />
            <IconButton
              icon={X}
              label={`Remove ${nameOf(option)}`}
              onClick={() => onChange(options.toSpliced(index, 1))}
            />
          </>
        )}
      </Sortable>
      {errors.options && <Input.Error className={css.error}>{errors.options}</Input.Error>}
      <Button variant="subtle" color="gray" size="compact-sm" leftSection={<Plus size={14} />} onClick={add}>
        Add option
      </Button>
    </div>
  )
}

type ColorChoiceProps = { of: string; value: Color | undefined; onChange: (color: Color) => void }

const ColorChoice = ({ of: name, value = 'gray', onChange }: ColorChoiceProps) => (
  <Menu position="bottom-start" width={148}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        className={css.color}
        aria-label={`Color of ${name}: ${value}`}
      >
        <Swatch color={value} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown aria-label={`Color of ${name}`}>
      {optionColors.map((color) => (
        <Menu.Item
          key={color}
          className={css.color}
          leftSection={<Swatch color={color} />}
          rightSection={color === value && <Check size={14} aria-label="chosen" />}
          onClick={() => onChange(color)}
        >
          {color[0]!.toUpperCase() + color.slice(1)}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

const Swatch = ({ color }: { color: Color }) => (
  <span className={`${colors.option} ${css.swatch}`} data-color={color} aria-hidden="true" />
)

type Color = (typeof optionColors)[number]
/** As entered in the form. `id` is the key, or a placeholder until one is derived from the label. */
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
