import { Button } from '@mantine/core'
import { useState } from 'react'
import { asNumber } from '../../ui/numbers.ts'
import { Head, Table } from '../../ui/table.tsx'
import { fieldOf, importFields, mappedFields } from './choices.ts'
import { ColumnRow } from './column-row.tsx'
import { FormatChoices } from './format-choices.tsx'
import css from './import.module.css'
import { StepFrame } from './step-frame.tsx'
import type { StepProps } from './step-props.ts'

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
    return other === undefined ? undefined : `“${other}” goes into this field, too`
  }
  const faults = [
    ...(mapped.length ? [] : ['Choose a field for at least one column.']),
    ...(mapped.some(({ column, field }) => faultOf(column, field.key)) ? ['Each field takes one column.'] : []),
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
