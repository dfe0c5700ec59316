import { useState } from 'react'
import { fold, type Value } from '../../../../contract/filter/index.ts'
import { PickList } from '../../../ui/form/picker.tsx'
import { userPick } from '../../../users/user-select.tsx'
import { useFoundUsers } from '../../../users/users.ts'
import { useFoundRecords } from '../../data/find-records.ts'
import type { FieldShape } from '../../data/schema.ts'
import { asCountry } from '../../data/value-text.ts'
import { countryOf, findCountries, isCountry } from '../../fields/countries.ts'
import { OptionBadge } from '../../fields/field-value.tsx'
import type { ValueProps } from './value-editor.tsx'

export function OptionValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  // The filter language asks for less, but what stands here are the options of the schema.
  const all: FieldShape['options'] = field.options ?? []
  const options = all.filter(({ label }) => fold(label).includes(fold(search)))
  return (
    <PickList
      label={`Options of ${field.label}`}
      items={options.map((option) => ({
        value: option.key,
        label: option.label,
        shown: <OptionBadge option={option} value={option.key} />,
      }))}
      picked={values.map(String)}
      search={search}
      onSearch={setSearch}
      onPick={(key) => onChange(toggled(values, key))}
      nothing={field.options?.length ? 'No match' : 'This field has no options yet'}
    />
  )
}

export function toggled(values: Value[], value: Value) {
  const same = (one: Value) => JSON.stringify(one) === JSON.stringify(value)
  return values.some(same) ? values.filter((one) => !same(one)) : [...values, value]
}

/** Countries to pick, and what is typed if it is none: records may hold other text. */
export function CountryValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const picked = values.map(String)
  // As it was in the beginning: nothing moves away under the pointer.
  const [first] = useState(picked)
  const typed = search.trim()
  const others = [...picked, ...(typed ? [countryOf(typed)] : [])].filter((text) => !isCountry(text))
  const found = findCountries(search).map(({ code, name }) => ({ value: code, label: name, detail: code }))
  const other = [...new Set(others)].map((text) => ({ value: text, label: `“${text}”` }))
  return (
    <PickList
      label={`Countries for ${field.label}`}
      items={typed ? [...found, ...other] : [...other, ...withFirst(found, first)]}
      picked={picked}
      search={search}
      onSearch={setSearch}
      onPick={(value) => onChange(toggled(values, value))}
      nothing={`No country matches ${asCountry(typed)}`}
    />
  )
}

/** What is chosen stands first, where it is seen. */
const withFirst = <T extends { value: string }>(items: T[], first: string[]) => [
  ...items.filter(({ value }) => first.includes(value)),
  ...items.filter(({ value }) => !first.includes(value)),
]

const me: Value = { me: true }

export function UserValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const { found } = useFoundUsers(search.trim())
  // By id: an email address changes, and not everyone may see it.
  const users = (found ?? []).map(userPick)
  const isMe = fold('Me').includes(fold(search))
  const idOf = (value: Value) => found?.find(({ email }) => email === value)?.id ?? String(value)
  const picked = values.map((value) => (typeof value === 'object' ? 'me' : idOf(value)))
  return (
    <PickList
      label={`Users for ${field.label}`}
      items={[...(isMe ? [{ value: 'me', label: 'Me', detail: 'the person who opens the view' }] : []), ...users]}
      picked={picked}
      search={search}
      onSearch={setSearch}
      onPick={(value) =>
        onChange(
          toggled(
            values.map((one) => (typeof one === 'object' ? one : idOf(one))),
            value === 'me' ? me : value,
          ),
        )
      }
      nothing={found ? 'No match' : 'Searching…'}
    />
  )
}

/** Records go by their id: titles change, and two may share one. */
export function RecordValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const to = field.to ?? []
  const { found } = useFoundRecords(to, search.trim())
  return (
    <PickList
      label={`Records for ${field.label}`}
      items={(found ?? []).map(({ id, title, object }) => ({
        value: id,
        label: title,
        detail: to.length === 1 ? '' : object,
      }))}
      picked={values.map(String)}
      search={search}
      onSearch={setSearch}
      onPick={(id) => onChange(toggled(values, id))}
      nothing={found ? (search.trim() ? 'No match' : 'Type to search') : 'Searching…'}
    />
  )
}
