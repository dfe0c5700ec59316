import { Checkbox, Radio } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { Badge } from '../../ui/basics/avatar.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import type { RecordShape } from '../data/records-api.ts'
import type { ObjectShape } from '../data/schema.ts'
import { isEmpty } from '../data/value-text.ts'
import { RecordFace } from '../fields/record-face.tsx'
import { type Choice, type Merge, mergeOf, withPart } from './choice.ts'
import css from './comparison.module.css'
import { FieldRow, LinkedRow, PlainRow } from './rows.tsx'
import { ColumnHead, Table, TableBody, TableHead, TableRow } from './table-parts.tsx'

type Props = {
  object: ObjectShape
  /** The oldest first. */
  records: RecordShape[]
  choice: Choice
  onChange: (choice: Choice) => void
  /** Also the fields that are the same in all of them. */
  isWhole: boolean
  /** What is known of a record, such as why it is a duplicate. */
  about?: (id: string) => ReactNode
}

/** Records side by side: which one is kept, and field by field which values it gets. */
export function Comparison({ object, records, choice, onChange, isWhole, about }: Props) {
  const merge = mergeOf(object, records, choice)
  const shown = merge.rows.filter(({ field, isDifferent }) =>
    isWhole ? records.some((record) => !isEmpty(record[field.key])) : isDifferent && !field.is_read_only,
  )
  const id = useId()
  return (
    <div className={css.around}>
      <Table
        className={css.table}
        style={{ '--records': records.length } as CSSProperties}
        aria-label={`${object.label_plural} to merge`}
      >
        <TableHead>
          <TableRow>
            <ColumnHead className={css.corner}>Keep</ColumnHead>
            {records.map((record, index) => (
              <ColumnHead
                key={record.id}
                data-kept={record === merge.kept || undefined}
                data-apart={merge.apart.includes(record) || undefined}
              >
                <Head
                  name={`${id}-keep`}
                  object={object}
                  record={record}
                  merge={merge}
                  isMany={records.length > 2}
                  onKeep={() => onChange({ ...withPart(choice, record.id, true), keep: record.id })}
                  onPart={(isPart) => onChange(withPart(choice, record.id, isPart))}
                >
                  {index === 0 && <span className={css.why}>Oldest</span>}
                  {about?.(record.id)}
                </Head>
              </ColumnHead>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((row) => (
            <FieldRow
              key={row.field.key}
              id={id}
              object={object}
              records={records}
              merge={merge}
              row={row}
              choice={choice}
              onChange={onChange}
            />
          ))}
          <PlainRow label="Created" records={records} merge={merge} of={(one) => <Ago at={String(one.created_at)} />} />
          <PlainRow label="Updated" records={records} merge={merge} of={(one) => <Ago at={String(one.updated_at)} />} />
          <LinkedRow object={object} records={records} merge={merge} />
        </TableBody>
      </Table>
    </div>
  )
}

type HeadProps = {
  name: string
  object: ObjectShape
  record: RecordShape
  merge: Merge
  isMany: boolean
  onKeep: () => void
  onPart: (isPart: boolean) => void
  children: ReactNode
}

function Head({ name, object, record, merge, isMany, onKeep, onPart, children }: HeadProps) {
  const title = String(record.title)
  const isPart = !merge.apart.includes(record)
  return (
    <div className={css.head}>
      <span className={css.name}>
        <Radio
          name={name}
          size="xs"
          aria-label={`Keep ${title}`}
          label={
            <span className={css.title}>
              <RecordFace object={object.key} title={title} size={22} id={record.id} />
              <bdi>{title}</bdi>
            </span>
          }
          checked={record === merge.kept}
          onChange={onKeep}
        />
        <a
          href={`/records/${object.key}/${record.id}`}
          target="_blank"
          rel="noreferrer"
          className={css.open}
          aria-label={`Open ${title} in a new tab`}
          title="Open in a new tab"
        >
          <ExternalLink size={14} />
        </a>
        {record === merge.kept && <Badge tone="accent">Kept</Badge>}
      </span>
      {isPart ? children : <span className={css.why}>Stays as it is</span>}
      {isMany && (
        <Checkbox
          size="xs"
          label="Merge"
          aria-label={`Merge ${title}`}
          checked={isPart}
          disabled={isPart && !merge.others.length}
          onChange={(event) => onPart(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}
