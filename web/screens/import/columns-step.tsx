import { Button, Select } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { textOf } from '../../records/data/value-text.ts'
import { type Column, DataTable } from '../../ui/page/table.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { fieldOf, mappedFields, type Preview, useImportFields } from './choices.ts'
import { CreateField } from './create-field.tsx'
import { FormatChoices } from './file-step.tsx'
import css from './import.module.css'
import { lackIn } from './lack.ts'
import { StepFrame, type StepProps } from './step-frame.tsx'

type Props = StepProps & { isStale: boolean; back: string; onBack: () => void; onNext: () => void }

/** Which column goes into which field. */
export function ColumnsStep({ object, name, preview, choices, choose, isStale, back, onBack, onNext }: Props) {
  const [isChecked, setChecked] = useState(false)
  const [creating, setCreating] = useState<FileColumn>()
  const { may } = useSignedIn()
  const fields = useImportFields(object)
  const mapped = mappedFields(fields, choices, preview)
  const lack = lackIn({ object, choices, preview, mapped })
  const faults = [
    ...(mapped.length ? [] : ['Choose a field for at least one column.']),
    ...(mapped.filter(({ field }) => field.key === 'id').length > 1 ? ['Only one column can have the record ID.'] : []),
  ]
  const put = (column: string, field: string | null) => {
    setChecked(false)
    choose({ mapping: { ...choices.mapping, [column]: field } })
  }
  const fieldSelect = (of: FileColumn) => {
    const field = fields.find(({ key }) => key === fieldOf(choices, of))
    const others = mapped.filter((one) => one.field === field && one.column !== of.column && !field?.is_multi)
    return (
      <FieldSelect
        of={of}
        fields={fields}
        field={field}
        hasCurrency={mapped.some((one) => one.field.key === `${field?.key}.currency`)}
        others={others.map(({ column }) => column)}
        onChange={(key) => put(of.column, key)}
        onCreate={may('objects.manage') ? () => setCreating(of) : undefined}
      />
    )
  }
  const next = () => (faults.length ? setChecked(true) : onNext())
  const rows = `${preview.is_exact ? '' : 'about '}${asNumber(preview.rows)} ${preview.rows === 1 ? 'row' : 'rows'}`
  return (
    <StepFrame
      title="Columns"
      about={
        <>
          {name ? <bdi>{name}</bdi> : 'The file'} has {rows}. Check which field each column goes into.
          {preview.earlier &&
            ' A file with the same columns was imported before, so this one starts with its settings.'}
        </>
      }
      failure={isChecked && faults.join(' ')}
      actions={
        <>
          <Button variant="default" onClick={onBack}>
            {back}
          </Button>
          <Button disabled={isStale} onClick={next}>
            Continue
          </Button>
        </>
      }
    >
      <FormatChoices preview={preview} choices={choices} choose={choose} />
      {lack && (
        <div className={css.lack}>
          <p className={`${css.warning} ${css.wide}`}>
            <CircleAlert size={14} /> {lack.text}
          </p>
          {fields
            .filter(({ key }) => lack.keys.includes(key))
            .map(({ key, label }) => (
              <Select
                key={key}
                label={`Column for ${label}`}
                placeholder="Choose a column"
                searchable
                nothingFoundMessage="No column has this name"
                data={preview.columns.map(({ column }) => column)}
                value={null}
                onChange={(column) => column && put(column, key)}
              />
            ))}
        </div>
      )}
      <div className={css.columns} data-stale={isStale || undefined}>
        <DataTable
          bare
          label="Columns"
          className={css.table}
          stackOn="phone"
          columns={[...readColumns, { key: 'field', label: 'Import into', cell: fieldSelect }]}
          items={preview.columns}
          keyOf={({ column }) => column}
          row={(column) => ({ 'data-out': fieldOf(choices, column) === null || undefined })}
        />
      </div>
      {creating && (
        <CreateField
          object={object}
          of={creating}
          onClose={() => setCreating(undefined)}
          onDone={(key) => {
            put(creating.column, key)
            setCreating(undefined)
          }}
        />
      )}
    </StepFrame>
  )
}

type FileColumn = Preview['columns'][number]

const readColumns: Column<FileColumn>[] = [
  { key: 'column', label: 'Column', cell: ({ column }) => <bdi className={css.name}>{column}</bdi> },
  {
    key: 'samples',
    label: 'First values',
    cell: ({ column, samples }) =>
      samples.length ? (
        <ul className={css.samples} aria-label={`First values of ${column}`}>
          {samples.slice(0, 3).map((sample) => (
            <li key={sample} dir="auto">
              {sample}
            </li>
          ))}
        </ul>
      ) : (
        <span className={css.dim}>Empty</span>
      ),
  },
]

type FieldSelectProps = {
  of: FileColumn
  fields: FieldShape[]
  field: FieldShape | undefined
  /** Another column has the currencies of these amounts. */
  hasCurrency: boolean
  /** Columns that go into the same field, which holds one value. */
  others: string[]
  onChange: (field: string | null) => void
  onCreate: (() => void) | undefined
}

const newField = '+'

function FieldSelect({ of, fields, field, hasCurrency, others, onChange, onCreate }: FieldSelectProps) {
  const { column, field: suggested, note } = of
  const read = field && readingsOf(of, hasCurrency ? { ...field, type: 'number' } : field)
  const notes = [
    read && `Read as ${read}`,
    others.length > 0 && `“${others[0]}” goes here as well: ${field && isJoined(field) ? both : either}`,
    (field?.key ?? null) === suggested && note,
  ].filter(Boolean)
  return (
    <Select
      aria-label={`Field for ${column}`}
      placeholder="Don't import"
      searchable
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': `Don't import ${column}` }}
      nothingFoundMessage="No field has this name"
      description={notes.join('. ') || undefined}
      inputWrapperOrder={['input', 'description', 'error']}
      data={[
        ...fields.map(({ key, label }) => ({ value: key, label })),
        ...(onCreate ? [{ value: newField, label: 'New field…' }] : []),
      ]}
      value={field?.key ?? null}
      onChange={(key) => (key === newField ? onCreate?.() : onChange(key))}
    />
  )
}

const either = 'in each row, one of them must be empty'
const both = 'both are kept, one after the other'
const isJoined = ({ type, built_in_key }: FieldShape) => type === 'long_text' || built_in_key === 'first_name'

/** The first samples as they will be read, where a spreadsheet could mean something else: 1.200 or 3/4/2026. */
function readingsOf({ samples, readings }: FileColumn, field: FieldShape) {
  const values = readings.find(({ type }) => type === field.type)?.values
  if (!values || field.type === 'boolean') return undefined
  const shown = values.map((value, i) => (value === null ? undefined : shownValue(field, value, samples[i]!)))
  const texts = shown.filter((text) => text !== undefined)
  return texts.length ? texts.join(' and ') : undefined
}

function shownValue(field: FieldShape, value: string, sample: string) {
  const [amount = '', currency = ''] = value.split(' ')
  const parsed = field.type === 'number' ? Number(value) : field.type === 'money' ? { amount, currency } : value
  const text = textOf(field, parsed)
  return text === sample || (field.type === 'number' && value === sample) ? undefined : text
}
