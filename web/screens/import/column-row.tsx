import { Select } from '@mantine/core'
import type { FieldShape } from '../../records/schema.ts'
import { Cell, Row } from '../../ui/table.tsx'
import type { Preview } from './choices.ts'
import css from './import.module.css'

type Props = {
  of: Preview['columns'][number]
  fields: FieldShape[]
  field: string | null
  error: string | undefined
  onChange: (field: string | null) => void
}

export const ColumnRow = ({ of: { column, samples, note }, fields, field, error, onChange }: Props) => (
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
        description={field === null ? note : undefined}
        inputWrapperOrder={['input', 'description', 'error']}
        error={error}
        data={fields.map(({ key, label }) => ({ value: key, label }))}
        value={field}
        onChange={onChange}
      />
    </Cell>
  </Row>
)
