import { useState } from 'react'
import { countryOf, findCountries, isCountry } from '../../countries.ts'
import { asCountry } from '../../value-text.ts'
import { PickList } from '../pick-list.tsx'
import { toggled } from './option-values.tsx'
import type { ValueProps } from './value-editor.tsx'

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
      nothing={`No country is called ${asCountry(typed)}`}
    />
  )
}

/** What is chosen stands first, where it is seen. */
const withFirst = <T extends { value: string }>(items: T[], first: string[]) => [
  ...items.filter(({ value }) => first.includes(value)),
  ...items.filter(({ value }) => !first.includes(value)),
]
