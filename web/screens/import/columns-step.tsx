import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import type { FieldShape } from '../../records/data/schema.ts'
import { Cell, Head, Row, Table } from '../../ui/page/table.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { fieldOf, importFields, mappedFields, type Preview } from './choices.ts'
import { FormatChoices } from './file-step.tsx'
import css from './import.module.css'
import { StepFrame, type StepProps } from './step-frame.tsx'

type Props = StepProps & { isStale: boolean; onBack: () => void; onNext: () => void }

const columns = ['Column', 'First values', 'Import into'].map((name) => <Head key={name}>{name}</Head>)

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
        <Table label="Columns" className={css.table ?? ''} stackOn="phone" head={columns}>
          {preview.columns.map((column) => {
            const key = fieldOf(choices, column)
            return (
              <ColumnRow
                key={column.column}
                of={column}
                fields={fields}
                field={key}
                error={faultOf(column.column, key)}
                onChange={(field) => {
                  setChecked(false)
                  choose({ mapping: { ...choices.mapping, [column.column]: field } })
                }}
              />
            )
          })}
        </Table>
      </div>
    </StepFrame>
  )
}

type ColumnRowProps = {
  of: Preview['columns'][number]
  fields: FieldShape[]
  field: string | null
  error: string | undefined
  onChange: (field: string | null) => void
}

const ColumnRow = ({
  of: { column, samples, field: suggested, note },
  fields,
  field,
  error,
  onChange,
}: ColumnRowProps) => (
  <Row data-out={field === null || undefined}>
    <Cell kind="column">
      <bdi className={css.name}>{column}</bdi>
    </Cell>
    <Cell kind="samples">
      {samples.length ? (
        <ul className={css.samples} aria-label={`First values of ${column}`}>
          {samples.slice(0, 3).map((sample) => (
            <li key={sample} dir="auto">
              {sample}
            </li>
          ))}
        </ul>
      ) : (
        <span className={css.dim}>Empty</span>
      )}
    </Cell>
    <Cell kind="field">
      <Select
        aria-label={`Field for ${column}`}
        placeholder="Don't import"
        searchable
        clearable
        allowDeselect={false}
        clearButtonProps={{ 'aria-label': `Don't import ${column}` }}
        nothingFoundMessage="No field has this name"
        description={field === suggested ? note : undefined}
        inputWrapperOrder={['input', 'description', 'error']}
        error={error}
        data={fields.map(({ key, label }) => ({ value: key, label }))}
        value={field}
        onChange={onChange}
      />
    </Cell>
  </Row>
)
