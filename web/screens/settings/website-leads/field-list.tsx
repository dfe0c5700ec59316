import { Button, Checkbox, Input, MultiSelect, Select, Switch, TextInput, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronDown, SeparatorHorizontal, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { formLabel } from '../../../../contract/built-in/form-labels.ts'
import { mostFormFields, mostSteps } from '../../../../contract/lead-sources.ts'
import { objectPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { fieldKinds } from '../../../records/fields/field-kinds.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Panel } from '../../../ui/basics/layout.tsx'
import { Picker } from '../../../ui/form/picker.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import css from './builder.module.css'
import { type BreakRow, type DraftRow, type FieldRow, newBreak, newField, stepsOf } from './form-draft.ts'
import { useLeadsObject } from './lead-source.ts'

type Props = {
  rows: DraftRow[]
  /** Of the form. */
  language: string
  firstTitle: string
  errors: Record<string, string>
  /** The row whose settings are shown. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  onChange: (rows: DraftRow[]) => void
  onFirstTitle: (title: string) => void
}

/** The fields of the form and the breaks between its steps, in the order of the form. */
export function FieldList({ rows, language, firstTitle, errors, open, onOpen, onChange, onFirstTitle }: Props) {
  const leads = useLeadsObject()
  const { may } = useSignedIn()
  const steps = stepsOf(rows)
  const hasSteps = rows.some(({ kind }) => kind === 'break')
  const shapeOf = ({ field }: FieldRow) => leads?.byKey.get(field)
  const nameOf = (row: DraftRow, index = rows.indexOf(row)) =>
    row.kind === 'break' ? `step ${steps[index]}` : row.label || (shapeOf(row)?.label ?? row.field)
  const set = (id: string, patch: Partial<FieldRow> | Partial<BreakRow>) =>
    onChange(rows.map((row) => (row.id === id ? ({ ...row, ...patch } as DraftRow) : row)))
  const list = useRef<HTMLDivElement>(null)
  const add = (key: string) => {
    const field = leads?.byKey.get(key)
    onChange([...rows, newField(key, field && formLabel(field, language))])
    onOpen(key)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('ul > li:last-child input')?.focus())
  }
  const remove = (id: string) => onChange(rows.filter((row) => row.id !== id))
  /** Errors are reported by the place of the field among fields. */
  const errorsOf = (row: FieldRow) =>
    errorUnder(errors, `fields.${rows.filter(({ kind }) => kind === 'field').indexOf(row)}`)
  return (
    <div ref={list}>
      {hasSteps && (
        <div className={css.firstStep}>
          <StepTitle number={1} value={firstTitle} onChange={onFirstTitle} />
        </div>
      )}
      <Sortable
        label="Fields of the form"
        className={css.list}
        items={rows}
        keyOf={({ id }) => id}
        nameOf={(row) => nameOf(row)}
        onMove={(from, to) => onChange(moved(rows, from, to))}
      >
        {(row, index) =>
          row.kind === 'break' ? (
            <>
              <StepTitle number={steps[index]!} value={row.title} onChange={(title) => set(row.id, { title })} />
              <Remove what={nameOf(row, index)} onClick={() => remove(row.id)} />
            </>
          ) : (
            <FieldSettings
              row={row}
              name={nameOf(row, index)}
              shape={shapeOf(row)}
              error={errorsOf(row)}
              isOpen={row.id === open}
              onToggle={() => onOpen(row.id === open ? undefined : row.id)}
              onChange={(patch) => set(row.id, patch)}
              onRemove={() => remove(row.id)}
            />
          )
        }
      </Sortable>
      {errors.fields && <Input.Error>{errors.fields}</Input.Error>}
      {errorUnder(errors, 'step_titles') && <Input.Error>{errorUnder(errors, 'step_titles')}</Input.Error>}
      <div className={css.adding}>
        {/* What was picked leaves the list, so the next one starts from a new list. */}
        <AddField key={rows.length} leads={leads} rows={rows} onAdd={add} />
        <Button
          variant="default"
          leftSection={<SeparatorHorizontal size={14} />}
          disabled={(steps.at(-1) ?? 1) >= mostSteps}
          onClick={() => onChange([...rows, newBreak()])}
        >
          Add step
        </Button>
      </div>
      {leads && may('objects.manage') && (
        <Link to={objectPage} params={{ object: leads.key }} className={css.create}>
          Create a field for leads…
        </Link>
      )}
    </div>
  )
}

const Remove = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <IconButton icon={X} label={`Remove ${what}`} onClick={onClick} />
)

type StepProps = { number: number; value: string; onChange: (title: string) => void }

const StepTitle = ({ number, value, onChange }: StepProps) => (
  <div className={css.step}>
    <span>Step {number}</span>
    <TextInput
      size="xs"
      aria-label={`Title of step ${number}`}
      placeholder="Title"
      maxLength={100}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  </div>
)

type FieldProps = {
  row: FieldRow
  name: string
  /** Nothing if it was archived since. */
  shape: FieldShape | undefined
  error: string | undefined
  isOpen: boolean
  onToggle: () => void
  onChange: (patch: Partial<FieldRow>) => void
  onRemove: () => void
}

function FieldSettings({ row, name, shape, error, isOpen, onToggle, onChange, onRemove }: FieldProps) {
  const Icon = fieldKinds[shape?.type ?? 'text'].icon
  return (
    <div className={css.field} data-open={isOpen || undefined}>
      <div className={css.head}>
        <UnstyledButton className={css.toggle} aria-expanded={isOpen} onClick={onToggle}>
          <Icon size={15} />
          <bdi>{name}</bdi>
          {row.is_required && !row.is_hidden && <Badge>Required</Badge>}
          {row.is_hidden && <Badge>Hidden</Badge>}
          {!shape && <Badge tone="warn">Removed</Badge>}
          <ChevronDown size={14} />
        </UnstyledButton>
        <Remove what={name} onClick={onRemove} />
      </div>
      {error && (
        <p role="alert" className={css.fault}>
          {error}
        </p>
      )}
      {isOpen && <FieldInputs row={row} shape={shape} onChange={onChange} />}
    </div>
  )
}

function FieldInputs({ row, shape, onChange }: Pick<FieldProps, 'row' | 'shape' | 'onChange'>) {
  const text = (key: 'label' | 'placeholder' | 'help' | 'value', most: number) => ({
    value: row[key],
    maxLength: most,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [key]: currentTarget.value }),
  })
  const hasText = !['boolean', 'select', 'multi_select', 'date', 'datetime'].includes(shape?.type ?? 'text')
  const choices = (shape?.options ?? []).map(({ key, label }) => ({ value: key, label }))
  return (
    <Panel sunken className={css.inputs}>
      {!row.is_hidden && <TextInput label="Label" placeholder={shape?.label} {...text('label', 200)} />}
      {!row.is_hidden && hasText && <TextInput label="Placeholder" {...text('placeholder', 200)} />}
      {!row.is_hidden && <TextInput label="Help" description="Shown below the field." {...text('help', 500)} />}
      {!row.is_hidden && choices.length > 0 && (
        <MultiSelect
          label="Options"
          placeholder={row.options?.length ? undefined : 'All options of the field'}
          data={choices}
          clearable
          clearButtonProps={{ 'aria-label': 'Offer all options' }}
          value={row.options ?? []}
          onChange={(options) => onChange({ options: options.length ? options : null })}
        />
      )}
      <DefaultValue row={row} shape={shape} choices={choices} onChange={onChange}>
        {(look) => <TextInput {...look} {...text('value', 2000)} />}
      </DefaultValue>
      <div className={css.checks}>
        {!row.is_hidden && (
          <Checkbox
            label="Required"
            checked={row.is_required}
            onChange={(event) => onChange({ is_required: event.currentTarget.checked })}
          />
        )}
        <Switch
          label="Hidden"
          checked={row.is_hidden}
          onChange={(event) => onChange({ is_hidden: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  )
}

type DefaultProps = Pick<FieldProps, 'row' | 'shape' | 'onChange'> & {
  choices: { value: string; label: string }[]
  /** For what is typed. */
  children: (look: { label: string; description: string | undefined }) => ReactNode
}

/** What a field starts with, or the value of a hidden one: chosen, if there is a list to choose from. */
function DefaultValue({ row, shape, choices, onChange, children }: DefaultProps) {
  const look = {
    label: row.is_hidden ? 'Value' : 'Default value',
    description: row.is_hidden ? `The page can replace it with data-${row.field}.` : undefined,
  }
  const offered = choices.filter(({ value }) => row.is_hidden || !row.options || row.options.includes(value))
  const data = shape?.type === 'boolean' ? [{ value: 'true', label: 'Checked' }] : offered
  if (!data.length) return children(look)
  return (
    <Select
      {...look}
      placeholder={shape?.type === 'boolean' ? 'Not checked' : 'None'}
      data={data}
      clearable
      clearButtonProps={{ 'aria-label': 'No value' }}
      value={row.value || null}
      onChange={(value) => onChange({ value: value ?? '' })}
    />
  )
}

/** What Kith or the team sets: nothing that a visitor could enter. */
const internal = new Set([
  'status',
  'owner',
  'score',
  'first_response_at',
  'response_due_at',
  'response_minutes',
  'converted_person',
  'converted_organization',
  'converted_deal',
  'page',
  'referrer',
  'consent',
])

type AddProps = { leads: ObjectShape | undefined; rows: DraftRow[]; onAdd: (key: string) => void }

/** Also fields that the company has added. */
function AddField({ leads, rows, onAdd }: AddProps) {
  const [text, setText] = useState<string>()
  const used = new Set(rows.map(({ id }) => id))
  const free = (leads?.fields ?? []).filter(
    (field) =>
      !field.is_read_only &&
      !field.is_archived &&
      !used.has(field.key) &&
      !(field.is_built_in && internal.has(field.key)),
  )
  const found = free.filter(({ label }) => label.toLowerCase().includes((text ?? '').trim().toLowerCase()))
  const items = found.map(({ key, label, type }) => {
    const { icon: Icon, label: detail } = fieldKinds[type]
    return { value: key, label, detail, icon: <Icon size={14} /> }
  })
  if (rows.length >= mostFormFields) return null
  return (
    <Picker
      input={{ 'aria-label': 'Add a field', placeholder: 'Add a field', className: css.add }}
      items={items}
      chosen={[]}
      text={text}
      nothing={free.length ? 'No match' : 'The form already has every lead field'}
      onType={setText}
      onPick={(key) => {
        setText(undefined)
        onAdd(key)
      }}
      onLeave={() => setText(undefined)}
    />
  )
}
