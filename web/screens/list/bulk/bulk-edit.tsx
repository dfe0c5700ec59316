import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { counted, pluralOf } from '../../../records/data/value-text.ts'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import css from './bulk.module.css'
import { askingAgain, BulkChange, type Change, changeOf, editableFields, faultIn, valuesOf } from './bulk-change.tsx'
import type { Bulk } from './use-bulk.ts'

/** `first`: what it begins with. */
type Props = { object: ObjectShape; bulk: Bulk; first: 'edit' | 'owner' | 'tags' }

/** Asks what to change. Before a job starts, it says how many records that concerns. */
export function BulkEdit({ object, bulk, first }: Props) {
  const { ids, isJob, isAll, skipped } = bulk.edits
  const [begun, setChanges] = useState<Change[]>(() => {
    const field = first === 'edit' ? undefined : object.byKey.get(first)
    return [field ? changeOf(0, field) : { id: 0, how: 'set', value: null }]
  })
  // With the current fields: an option may have been added.
  const changes = begun.map((change) => ({ ...change, ...fieldNow(object, change) }))
  const [isChecked, setChecked] = useState(false)
  const [matched, setMatched] = useState<number>()
  const fields = editableFields(object)
  const isFree = (key: string, id: number) => changes.every((one) => one.id === id || one.field?.key !== key)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const values = valuesOf(changes)
      if (isJob) return setMatched(await bulk.countEdit(values))
      await bulk.edit(values)
      bulk.close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!changes.some(faultIn)) mutate()
  }
  if (matched !== undefined)
    return <EditQuestion object={object} changes={changes} count={matched} onCount={setMatched} bulk={bulk} />
  return (
    <Dialog title={isAll ? `Edit all ${pluralOf(object)}` : `Edit ${counted(ids.length, object)}`} onClose={bulk.close}>
      <DialogForm
        of={{ submit, failure: error ? reasonOf(error) : undefined, isPending }}
        action={isJob ? 'Continue' : 'Save'}
        onCancel={bulk.close}
      >
        {skipped && <p className={css.text}>{skipped}</p>}
        {changes.map((change) => (
          <BulkChange
            key={change.id}
            of={change}
            fields={fields.filter(({ key }) => isFree(key, change.id))}
            error={isChecked ? faultIn(change) : undefined}
            onChange={(next) => {
              setChecked(false)
              setChanges(changes.map((one) => (one.id === next.id ? next : one)))
            }}
            onRemove={changes.length > 1 ? () => setChanges(changes.filter(({ id }) => id !== change.id)) : undefined}
          />
        ))}
        {changes.at(-1)?.field && changes.length < fields.length && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={css.another}
            leftSection={<Plus size={14} />}
            onClick={() => {
              setChecked(false)
              setChanges([...changes, { id: changes.at(-1)!.id + 1, how: 'set', value: null }])
            }}
          >
            Another field
          </Button>
        )}
      </DialogForm>
    </Dialog>
  )
}

const fieldNow = (object: ObjectShape, { field }: Change) => field && { field: object.byKey.get(field.key) ?? field }

type QuestionProps = {
  object: ObjectShape
  changes: Change[]
  count: number
  onCount: (count: number) => void
  bulk: Bulk
}

function EditQuestion({ object, changes, count, onCount, bulk }: QuestionProps) {
  const what = changes.length === 1 ? changes[0]!.field!.label : `${changes.length} fields`
  return (
    <Confirm
      title={count ? `Change ${what} of ${counted(count, object)}?` : 'Nothing to change'}
      action={count ? `Change ${counted(count, object)}` : 'OK'}
      isHarmless
      act={async () => {
        const values = valuesOf(changes)
        const recount = async () => onCount(await bulk.countEdit(values))
        if (count) await bulk.edit(values, count).catch(askingAgain(recount))
      }}
      onDone={() => {}}
      onClose={bulk.close}
    >
      <ul className={css.summary} aria-label="Changes">
        {changes.map((change) => (
          <li key={change.id}>
            <ChangeWords of={change} />
          </li>
        ))}
      </ul>
      <p>This runs in the background. You can undo it as a whole.</p>
    </Confirm>
  )
}

function ChangeWords({ of: { field, how, value } }: { of: Change }) {
  const name = <b>{field!.label}</b>
  const shown = <FieldValue field={field!} value={value} />
  if (how === 'clear') return <>Clear {name}</>
  if (how === 'add')
    return (
      <>
        Add {shown} to {name}
      </>
    )
  if (how === 'remove')
    return (
      <>
        Remove {shown} from {name}
      </>
    )
  return (
    <>
      Set {name} to {shown}
    </>
  )
}
