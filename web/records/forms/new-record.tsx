// The form of a new record, for quick create and for the small one where a record is linked.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../client/api.ts'
import { holderOf } from '../../ui/basics/errors.ts'
import { HeldBy } from '../../ui/basics/notices.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { FormValues } from '../data/find-records.ts'
import { clearedIn, saidOf } from '../data/known-values.ts'
import { fittingStages, withFittingStage } from '../data/pipelines.ts'
import { type RecordShape, useCreateRecord } from '../data/records-api.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { saidAndUndoable } from '../data/undo.ts'
import type { Values } from '../data/update-record.ts'
import { isEmpty } from '../data/value-text.ts'
import { FieldEditor } from '../fields/field-editor.tsx'
import { faultOf } from '../fields/value-fault.ts'
import css from './new-record.module.css'

type Settings = {
  initial: Values
  /** Even if the form was closed before the answer came. */
  onCreated?: (record: RecordShape) => void
  /** Only while the form is shown. */
  onDone: (record: RecordShape) => void
}

/** What was typed stays when it is refused. */
export function useNewRecord(object: ObjectShape, { initial, onCreated, onDone }: Settings) {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const { mutateAsync } = useCreateRecord(object.key, ({ record, change_set_id }) => {
    onCreated?.(record)
    saidAndUndoable(`${String(record.title)} created.`, change_set_id, [record.id])
  })
  const [empty] = useState(() => Object.fromEntries([...object.byKey.keys()].map((key) => [key, null])))
  const { form, values, errors, refusal, change, restart } = useForm<Values, RecordShape>({
    input: (sent) => faultsOf(object, sent),
    initial: { ...empty, ...initial },
    isGuarded: false,
    ask: (values) => ({ ...saidOf(values), ...clearedIn(object, values) }),
    send: async (sent) => (await mutateAsync(sent)).record,
    fieldOf: (path) => path.replace(/^records\.0\./, ''),
    onDone: (record) => isShown.current && onDone(record),
  })
  return {
    form,
    values,
    errors,
    holder: holderOf(refusal),
    change: (patch: Values) => change(withFittingStage(object, values, patch)),
    restart: (next: Values) => restart({ ...empty, ...next }),
  }
}

const faultsOf = (object: ObjectShape, sent: Values) =>
  Object.fromEntries(
    object.fields.flatMap((field) => {
      const fault = field.is_read_only ? undefined : faultOf(field, sent[field.key])
      return fault ? [[field.key, fault]] : []
    }),
  )

type FieldsProps = {
  object: ObjectShape
  fields: FieldShape[]
  values: Values
  errors: Record<string, string>
  onChange: (key: string, value: unknown) => void
  isNarrow?: boolean
  /** Part of a longer form: the first field does not take the focus. */
  isUnfocused?: boolean
}

/** The editors of the fields, two to a line where there is room. */
export const NewRecordFields = ({ object, fields, values, errors, onChange, isNarrow, isUnfocused }: FieldsProps) => (
  <FormValues value={{ object, values }}>
    <div className={css.fields} data-narrow={isNarrow || undefined}>
      {fields.map((field, index) => (
        <div
          key={field.key}
          className={css.field}
          data-field={field.key}
          data-type={field.type}
          data-wide={isWide(field, object) || undefined}
        >
          <FieldEditor
            field={fittingStages(object, field, values)}
            value={values[field.key] ?? null}
            error={errors[field.key]}
            autoFocus={index === 0 && !isUnfocused}
            onChange={(value) => onChange(field.key, value)}
          />
          {field.is_unique && !errors[field.key] && (
            <Duplicate object={object} field={field} value={values[field.key]} />
          )}
        </div>
      ))}
    </div>
  </FormValues>
)

const wide = new Set<string>(['long_text', 'multi_select'])

const isWide = (field: FieldShape, { titleField }: ObjectShape) => wide.has(field.type) || field === titleField

/** Another record has this value already, which the server would refuse. */
function Duplicate({ object, field, value }: { object: ObjectShape; field: FieldShape; value: unknown }) {
  const all = [value ?? []].flat().map(String)
  const isAsked = !isEmpty(value) && !faultOf(field, value)
  const { data: holder } = useQuery({
    queryKey: ['records', 'holder', object.key, field.key, all],
    queryFn: async ({ signal }) => {
      const filter = { field: field.key, op: 'in' as const, value: all }
      const question = { object: object.key, filter, fields: ['title'], limit: 1 }
      const { records } = await api.queryRecords(question, { signal })
      return records[0] ? { object: object.key, id: records[0].id, title: String(records[0].title) } : null
    },
    enabled: isAsked,
  })
  if (!isAsked || !holder) return null
  return (
    <p className={css.duplicate} role="status">
      Already used. <HeldBy of={holder} />
    </p>
  )
}
