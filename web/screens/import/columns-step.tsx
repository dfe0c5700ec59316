import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import type { FieldShape } from '../../records/data/schema.ts'
import { type Column, DataTable } from '../../ui/page/table.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { fieldOf, importFields, mappedFields, type Preview } from './choices.ts'
import { FormatChoices } from './file-step.tsx'
import css from './import.module.css'
import { StepFrame, type StepProps } from './step-frame.tsx'

type Props = StepProps & { isStale: boolean; onBack: () => void; onNext: () => void }

/** Which column goes into which field. */
export function ColumnsStep({ object, name, preview, choices, choose, isStale, onBack, onNext }: Props) {
  const [isChecked, setChecked] = useState(false)
  const fields = importFields(object)
  const mapped = mappedFields(object, choices, preview)
  const takenBy = (key: string, column: string) =>
    mapped.find((one) => one.field.key === key && one.column !== column && !one.field.is_multi)?.column
  const faultOf = (column: string, key: string | null) => {
    const other = key === null ? undefined : takenBy(key, column)
    return other === undefined ? undefined : `“${other}” uses this field too`
  }
  const faults = [
    ...(mapped.length ? [] : ['Choose a field for at least one column.']),
    ...(mapped.some(({ column, field }) => faultOf(column, field.key)) ? ['Each field can only be used once.'] : []),
  ]
  const fieldSelect = (of: FileColumn) => (
    <FieldSelect
      of={of}
      fields={fields}
      field={fieldOf(choices, of)}
      error={faultOf(of.column, fieldOf(choices, of))}
      onChange={(field) => {
        setChecked(false)
        choose({ mapping: { ...choices.mapping, [of.column]: field } })
      }}
    />
  )
  const next = () => (faults.length ? setChecked(true) : onNext())
  const rows = `${preview.is_exact ? '' : 'about '}${asNumber(preview.rows)} ${preview.rows === 1 ? 'row' : 'rows'}`
  return (
    <StepFrame
      title="Columns"
      about={
        <>
          <bdi>{name}</bdi> has {rows}. Check which field each column goes into.
        </>
      }
      failure={isChecked && faults.join(' ')}
      actions={
        <>
          <Button variant="default" onClick={onBack}>
            Choose another file
          </Button>
          <Button disabled={isStale} onClick={next}>
            Continue
          </Button>
        </>
      }
    >
      <FormatChoices preview={preview} choices={choices} choose={choose} />
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
  field: string | null
  error: string | undefined
  onChange: (field: string | null) => void
}

const FieldSelect = ({ of: { column, field: suggested, note }, fields, field, error, onChange }: FieldSelectProps) => (
  <Select
    aria-label={`Field for ${column}`}
    placeholder="Don't import"
    searchable
    clearable
    clearButtonProps={{ 'aria-label': `Don't import ${column}` }}
    nothingFoundMessage="No field has this name"
    description={field === suggested ? note : undefined}
    inputWrapperOrder={['input', 'description', 'error']}
    error={error}
    data={fields.map(({ key, label }) => ({ value: key, label }))}
    value={field}
    onChange={onChange}
  />
)
