import { ActionIcon, Button, Input, Select, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { stageKinds } from '../../../../contract/objects.ts'
import { ColorChoice } from './color-choice.tsx'
import { moved } from './moved.ts'
import css from './option-list.module.css'
import { type DraftOption, newOption } from './options.ts'
import { Sortable } from './sortable.tsx'

const kindNames = { open: 'Open', won: 'Won', lost: 'Lost' }
/** As lists show a stage that has no colour of its own. */
const kindColors = { open: 'blue', won: 'green', lost: 'gray' } as const
const kinds = stageKinds.map((value) => ({ value, label: kindNames[value] }))

type Props = {
  options: DraftOption[]
  errors: Record<string, string>
  /** Stages of a deal: each says what reaching it means. */
  withKinds?: boolean
  onChange: (options: DraftOption[]) => void
}

export function OptionList({ options, errors, withKinds = false, onChange }: Props) {
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
      <Input.Description>
        In the order in which lists sort them. One that records have cannot be removed.
      </Input.Description>
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
            <ColorChoice
              of={nameOf(option)}
              value={option.color ?? (withKinds ? kindColors[option.kind ?? 'open'] : undefined)}
              onChange={(color) => change(index, { color })}
            />
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
            {withKinds && (
              <Select
                className={css.kind}
                aria-label={`Meaning of ${nameOf(option)}`}
                data={kinds}
                allowDeselect={false}
                value={option.kind ?? 'open'}
                onChange={(kind) => change(index, { kind: kind as DraftOption['kind'] })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove ${nameOf(option)}`}
              onClick={() => onChange(options.toSpliced(index, 1))}
            >
              <X size={15} aria-hidden="true" />
            </ActionIcon>
          </>
        )}
      </Sortable>
      {errors.options && <Input.Error className={css.error}>{errors.options}</Input.Error>}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={add}
      >
        Add option
      </Button>
    </div>
  )
}
