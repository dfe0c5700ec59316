import { useQueries } from '@tanstack/react-query'
import { useContext } from 'react'
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../client/session.ts'
import { type Pick, Picker } from '../../ui/form/picker.tsx'
import { userPick } from '../../users/user-select.tsx'
import { useFoundUsers, useUser } from '../../users/users.ts'
import { createInPlace } from '../data/create-in-place.ts'
import { FormValues, useFoundRecords, useNearRecords } from '../data/find-records.ts'
import { valuesFromForm } from '../data/known-values.ts'
import { idOf, type Related, relatedIn, type Titled, titledIn, titleQuery } from '../data/records-api.ts'
import { type FieldShape, useSchema } from '../data/schema.ts'
import type { EditorProps } from './editor.ts'
import { useDeletedWord } from './field-value.tsx'
import { useTypedText } from './unmatched.ts'

/** One record or several, found by a part of the title, or created. */
export function RecordEditor(props: EditorProps) {
  const { field, value, onChange, onDone, isCell } = props
  const { chosen: ids, asked, stopTyping, picker } = useTypedText(props, field.is_multi, isId)
  const chosen = useChosen(
    relatedIn(value).filter((one) => ids.includes(idOf(one))),
    field,
  )
  const { found = [], isCurrent } = useFoundRecords(field.to_objects ?? [], asked)
  const { near, nearTitle } = useNearRecords(field, asked)
  const form = useContext(FormValues)
  const schema = useSchema()
  const creatable = schema.filter(({ key, rights }) => rights.create && field.to_objects?.includes(key))
  const same = found.filter(({ title }) => title.toLowerCase() === asked.toLowerCase())
  const link = (id: string) => {
    stopTyping()
    if (field.is_multi) return onChange([...ids.filter((one) => one !== id), id])
    onChange(id)
    onDone(id)
  }
  const pick = async (option: string) => {
    const object = creatable.find(({ key }) => option === newOption(key))
    if (!object) return link(option)
    const made = await createInPlace(object.key, asked, valuesFromForm(object, field, form))
    if (made) link(made.id)
  }
  const labelOf = (key: string) =>
    field.to_objects?.length === 1 ? undefined : schema.find((one) => one.key === key)?.label
  const pickOf = ({ id, title, object }: Titled): Pick => ({ value: id, label: title, detail: labelOf(object) })
  const others = found.filter(({ id }) => !near.some((one) => one.id === id))
  const records = [
    ...near.map((one) => ({ ...pickOf(one), group: nearTitle })),
    ...others.map((one) => ({ ...pickOf(one), group: near.length ? 'Others' : undefined })),
  ].filter((one) => !field.is_multi || !ids.includes(one.value))
  const offers = asked && isCurrent && !same.length ? creatable : []
  return (
    <Picker
      {...picker}
      isMulti={field.is_multi}
      items={[
        ...records,
        ...offers.map(({ key, label }) => ({
          value: newOption(key),
          label: `Create ${inSentence(label)} “${asked}”`,
          isNew: true,
        })),
      ]}
      chosen={chosen.map(pickOf)}
      isCurrent={isCurrent}
      startsOpen={isCell}
      nothing={asked ? 'No match' : 'Type to search'}
      onPick={(option) => void pick(option)}
      onRemove={(id) => onChange(ids.filter((one) => one !== id))}
      onClear={field.is_required ? undefined : () => clear(props, stopTyping)}
      onLeave={() => {
        picker.onLeave()
        // Typing the whole title counts as choosing it.
        if (asked && isCurrent && same.length === 1 && !isCell) link(same[0]!.id)
      }}
    />
  )
}

const newOption = (object: string) => `new ${object}`

const clear = ({ field, onChange }: EditorProps, stopTyping: () => void) => {
  stopTyping()
  onChange(field.is_multi ? [] : null)
}

function useChosen(related: Related[], field: FieldShape): Titled[] {
  const deleted = useDeletedWord()
  return useQueries({
    queries: related.map((one) => titleQuery(idOf(one), titledIn(one, field))),
    combine: (answers) =>
      answers.flatMap(({ data }, i) =>
        data === undefined ? [] : [data ?? { id: idOf(related[i]!), object: '', title: deleted(field) }],
      ),
  })
}

/** Someone in the company, found by a part of the name. */
export function UserEditor(props: EditorProps) {
  const { onChange, onDone, field, isCell } = props
  const { me } = useSignedIn()
  const { chosen: ids, asked, stopTyping, picker } = useTypedText(props, false, isId)
  const [id] = ids
  const user = useUser(id ?? me.id)
  // Your own name need not be loaded.
  const chosen = id === me.id ? me : id && user
  const { found = [], isCurrent } = useFoundUsers(asked)
  const pick = (id: string) => {
    stopTyping()
    onChange(id)
    onDone(id)
  }
  return (
    <Picker
      {...picker}
      items={found.map(userPick)}
      chosen={chosen ? [userPick(chosen)] : []}
      isCurrent={isCurrent}
      startsOpen={isCell}
      onPick={pick}
      onClear={field.is_required ? undefined : () => clear(props, stopTyping)}
    />
  )
}
