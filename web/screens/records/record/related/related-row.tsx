import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Unlink } from 'lucide-react'
import { FieldValue } from '../../../../records/field-value.tsx'
import { RecordFace } from '../../../../records/record-face.tsx'
import type { RecordShape } from '../../../../records/records-api.ts'
import { useSchema } from '../../../../records/schema.ts'
import { factsOf } from './facts.ts'
import css from './related.module.css'

export type Entry = { object: string; id: string; title: string; record?: RecordShape | undefined }
type Props = { of: Entry; onUnlink?: (() => void) | undefined; isBusy: boolean }

/** A related record: what it is called, and what tells most about it. */
export function RelatedRow({ of: { object: key, id, title, record }, onUnlink, isBusy }: Props) {
  const object = useSchema().find((one) => one.key === key)
  return (
    <li className={css.row} data-busy={isBusy || undefined}>
      <Link to="/records/$object/$id" params={{ object: key, id }} className={css.title}>
        <RecordFace object={key} title={title} size={24} />
        <span dir="auto">{title}</span>
      </Link>
      <span className={css.facts}>
        {object &&
          factsOf(object, record).map(({ field, value }) => (
            <span key={field.key} data-type={field.type}>
              <FieldValue field={field} value={value} />
            </span>
          ))}
      </span>
      {onUnlink && (
        <ActionIcon
          className={css.unlink}
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Unlink ${title}`}
          title="Unlink"
          disabled={isBusy}
          onClick={onUnlink}
        >
          <Unlink size={14} aria-hidden="true" />
        </ActionIcon>
      )}
    </li>
  )
}
