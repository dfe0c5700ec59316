import { useState } from 'react'
import { fold, type Value } from '../../../../contract/filter/index.ts'
import { OptionBadge } from '../../option-badge.tsx'
import type { FieldShape } from '../../schema.ts'
import { PickList } from '../pick-list.tsx'
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
      nothing={field.options?.length ? 'No option of that name' : 'This field has no options yet'}
    />
  )
}

export function toggled(values: Value[], value: Value) {
  const same = (one: Value) => JSON.stringify(one) === JSON.stringify(value)
  return values.some(same) ? values.filter((one) => !same(one)) : [...values, value]
}
