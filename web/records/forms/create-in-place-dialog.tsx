import { useState } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../client/session.ts'
import { useStore } from '../../client/store.ts'
import { HeldBy } from '../../ui/basics/notices.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../ui/form/form.tsx'
import { askedInPlace, valuesFromTitle } from '../data/create-in-place.ts'
import { createFields, defaultsOf } from '../data/known-values.ts'
import type { Titled } from '../data/records-api.ts'
import { type ObjectShape, useSchema } from '../data/schema.ts'
import type { Values } from '../data/update-record.ts'
import { Existing } from './existing.tsx'
import css from './new-record.module.css'
import { NewRecordFields, useNewRecord } from './new-record.tsx'

/** Over the form or the cell that asked for it. */
export function CreateInPlace() {
  const asked = useStore(askedInPlace)
  const object = useSchema().find(({ key }) => key === asked?.object)
  if (!asked || !object) return null
  return (
    <Dialog title={`New ${inSentence(object.label)}`} grows onClose={() => asked.answer(undefined)}>
      <SmallForm
        key={asked.title}
        object={object}
        begin={asked.begin}
        typed={valuesFromTitle(object, asked.title)}
        onDone={asked.answer}
      />
    </Dialog>
  )
}

type Props = { object: ObjectShape; begin: Values; typed: Values; onDone: (made: Titled | undefined) => void }

function SmallForm({ object, begin, typed, onDone }: Props) {
  const { me } = useSignedIn()
  const [known] = useState(() => ({ ...defaultsOf(object, me.id), ...begin }))
  const [initial] = useState(() => ({ ...known, ...typed }))
  const [{ first }] = useState(() => createFields(object, initial, true))
  const { form, values, errors, holder, change } = useNewRecord(object, {
    initial,
    onDone: ({ id, title }) => onDone({ id, object: object.key, title: String(title) }),
  })
  return (
    <Form of={form} className="">
      {holder && (
        <p className={css.duplicate}>
          There is a record like this already. <HeldBy of={holder} />
        </p>
      )}
      <NewRecordFields
        isNarrow
        object={object}
        fields={first}
        values={values}
        errors={errors}
        onChange={(key, value) => change({ [key]: value })}
      />
      <Existing object={object} values={values} initial={known} />
      <DialogSubmit of={form} action={`Create ${inSentence(object.label)}`} onCancel={() => onDone(undefined)} />
    </Form>
  )
}
