import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RecordShape } from '../data/records-api.ts'
import { type ObjectShape, useSchema } from '../data/schema.ts'
import { counted, isEmpty, textOf } from '../data/value-text.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { type Choice, type Merge, type Row, withListOf, withValueOf } from './choice.ts'
import css from './comparison.module.css'
import { Cell, RowHead, TableRow } from './table-parts.tsx'

const none = <span className={css.none}>–</span>

type RowProps = {
  id: string
  object: ObjectShape
  records: RecordShape[]
  merge: Merge
  row: Row
  choice: Choice
  onChange: (choice: Choice) => void
}

export function FieldRow({ id, object, records, merge, row, choice, onChange }: RowProps) {
  const { field, isList, isChoice, isDifferent, from } = row
  const head = `${id}-${field.key}`
  const choose = (record: RecordShape) =>
    onChange(
      isList
        ? withListOf(choice, field, record.id, !from.has(record.id))
        : withValueOf(object, choice, field, record.id),
    )
  return (
    <TableRow>
      <RowHead id={head}>{field.label}</RowHead>
      {records.map((record) => {
        const value = `${head}-${record.id}`
        const isTaken = from.has(record.id)
        const isApart = merge.apart.includes(record)
        const isOpen = isChoice && !isApart && !isEmpty(record[field.key])
        const shown = (
          <span id={value} className={css.value} data-long={field.type === 'long_text' || undefined}>
            {field.type === 'boolean' ? (
              textOf(field, record[field.key]) || none
            ) : (
              <FieldValue field={field} value={record[field.key]} tabIndex={-1} empty={none} />
            )}
          </span>
        )
        return (
          <Cell
            key={record.id}
            data-taken={(isTaken && isDifferent && !field.is_read_only) || undefined}
            data-apart={isApart || undefined}
          >
            {isOpen ? (
              <label className={css.cell}>
                <input
                  type={isList ? 'checkbox' : 'radio'}
                  name={isList ? undefined : head}
                  aria-labelledby={`${head} ${value}`}
                  checked={isTaken}
                  onChange={() => choose(record)}
                />
                {shown}
                {isTaken && <Check size={14} className={css.tick} />}
              </label>
            ) : (
              <div className={css.cell}>
                {shown}
                {isTaken && isDifferent && !field.is_read_only && <Check size={14} className={css.tick} />}
              </div>
            )}
          </Cell>
        )
      })}
    </TableRow>
  )
}

type PlainProps = { label: string; records: RecordShape[]; merge: Merge; of: (record: RecordShape) => ReactNode }

export const PlainRow = ({ label, records, merge, of }: PlainProps) => (
  <TableRow data-plain>
    <RowHead>{label}</RowHead>
    {records.map((record) => (
      <Cell key={record.id} data-apart={merge.apart.includes(record) || undefined}>
        <div className={css.cell}>{of(record)}</div>
      </Cell>
    ))}
  </TableRow>
)

/** What links to each of them, and to the kept one afterwards. */
export function LinkedRow({ object, ...row }: Omit<PlainProps, 'label' | 'of'> & { object: ObjectShape }) {
  const linking = useLinking(object)
  const wordsOf = ({ $related = {}, $more = [] }: RecordShape) =>
    linking.flatMap((other) => {
      const { length } = ($related as Record<string, unknown[]>)[other.key] ?? []
      const isMore = ($more as string[]).includes(other.key)
      return length ? [`${isMore ? 'over ' : ''}${counted(length, other)}`] : []
    })
  if (row.records.every((record) => !wordsOf(record).length)) return null
  return <PlainRow {...row} label="Linked" of={(record) => wordsOf(record).join(', ') || none} />
}

/** The objects whose records link to those of this one. */
export function useLinking(object: ObjectShape | undefined) {
  const schema = useSchema()
  if (!object) return []
  const named = new Set(object.fields.map(({ key }) => key))
  return schema
    .filter(({ key, rights }) => rights.read !== 'none' && !named.has(key))
    .filter(({ fields }) =>
      fields.some(
        ({ type, to_objects }) => type === 'relation' && (!to_objects?.length || to_objects.includes(object.key)),
      ),
    )
    .slice(0, mostLinking)
}

/** As many relations as one call may ask for. */
const mostLinking = 20
