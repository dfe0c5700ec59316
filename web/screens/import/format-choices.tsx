import { Select } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { type CsvFormat, dateOrders, decimalSigns, delimiters, encodings } from '../../../contract/csv.ts'
import type { Choices, Preview } from './choices.ts'
import css from './import.module.css'

const choicesOf: { [Key in keyof CsvFormat]: { label: string; data: { value: CsvFormat[Key]; label: string }[] } } = {
  encoding: {
    label: 'Encoding',
    data: named(encodings, ['UTF-8', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252 (Western)']),
  },
  delimiter: { label: 'Delimiter', data: named(delimiters, ['Comma', 'Semicolon', 'Tab', 'Vertical bar']) },
  decimal: { label: 'Numbers', data: named(decimalSigns, ['1,234.56', '1.234,56']) },
  date_order: { label: 'Dates', data: named(dateOrders, ['2026-12-31', '31.12.2026', '12/31/2026']) },
}

function named<Value extends string>(values: readonly Value[], labels: string[]) {
  return values.map((value, index) => ({ value, label: labels[index]! }))
}

type Props = { preview: Preview; choices: Choices; choose: (patch: Partial<Choices>) => void }

/** How the file is read: as detected, unless the user knows better. */
export function FormatChoices({ preview: { format, unsure }, choices, choose }: Props) {
  const isOpen = (key: keyof CsvFormat) => unsure.includes(key) && choices.format[key] === undefined
  const keys = Object.keys(choicesOf) as (keyof CsvFormat)[]
  return (
    <fieldset className={css.format} aria-label="How the file is read">
      {keys.map((key) => (
        <Select
          key={key}
          size="xs"
          label={choicesOf[key].label}
          data={choicesOf[key].data}
          allowDeselect={false}
          withCheckIcon={false}
          value={choices.format[key] ?? format[key]}
          description={
            isOpen(key) ? (
              <span className={css.unsure}>
                <CircleAlert size={12} aria-hidden="true" /> Please check
              </span>
            ) : undefined
          }
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={(value) => value && choose({ format: { ...choices.format, [key]: value } })}
        />
      ))}
    </fieldset>
  )
}
