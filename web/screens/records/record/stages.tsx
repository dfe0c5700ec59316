import { UnstyledButton } from '@mantine/core'
import { Check, CircleX, Trophy } from 'lucide-react'
import { type RecordShape, useUpdateRecord } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import css from './header.module.css'
import { useRights } from './rights.ts'

/** The field whose options are stages, if there is one. */
export const stageFieldOf = (object: ObjectShape): FieldShape | undefined =>
  object.fields.find(({ type, options }) => type === 'select' && options?.some(({ kind }) => kind))

type Props = { object: ObjectShape; record: RecordShape }

/** The way of a deal through its stages; one click moves it. */
export function Stages({ object, record }: Props) {
  const field = stageFieldOf(object)
  const isFixed = !useRights(object).mayEdit(record)
  const { mutate } = useUpdateRecord(object.key, {
    said: ({ values }) => `${String(record.title)} moved to ${labelOf(field, Object.values(values)[0])}.`,
    isAnnounced: true,
  })
  if (!field) return null
  const options = field.options ?? []
  const now = options.findIndex(({ key }) => key === record[field.key])
  const isClosed = options[now]?.kind === 'won' || options[now]?.kind === 'lost'
  return (
    <fieldset className={css.stages} aria-label={field.label}>
      {options.map(({ key, label, kind = 'open' }, i) => {
        const Icon = kind === 'won' ? Trophy : kind === 'lost' ? CircleX : i < now && !isClosed ? Check : undefined
        return (
          <UnstyledButton
            key={key}
            className={css.stage}
            data-kind={kind}
            data-past={(kind === 'open' && i < now && !isClosed) || undefined}
            aria-pressed={i === now}
            disabled={isFixed}
            onClick={() => i !== now && mutate({ id: record.id, values: { [field.key]: key } })}
          >
            {Icon && <Icon size={13} aria-hidden="true" />}
            {label}
          </UnstyledButton>
        )
      })}
    </fieldset>
  )
}

const labelOf = (field: FieldShape | undefined, key: unknown) =>
  field?.options?.find((option) => option.key === key)?.label ?? String(key)
