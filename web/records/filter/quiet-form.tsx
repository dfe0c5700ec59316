import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { units } from './values/moment-values.tsx'
import css from './values/values.module.css'

type Props = { value: string; onChange: (duration: string) => void; onDone: () => void }

/** How long nothing has happened: a number and a unit. */
export function QuietForm({ value, onChange, onDone }: Props) {
  const [amount, setAmount] = useState(value.replace(/\D+$/, ''))
  const unit = value.replace(/^\d+/, '')
  const isAmount = (text: string) => /^\d{1,4}$/.test(text)
  return (
    <div className={css.moment}>
      <TextInput
        data-autofocus
        label="No activity for"
        inputMode="numeric"
        value={amount}
        error={!isAmount(amount)}
        onChange={({ currentTarget }) => {
          setAmount(currentTarget.value)
          if (isAmount(currentTarget.value)) onChange(`${Number(currentTarget.value)}${unit}`)
        }}
        onKeyDown={(event) => event.key === 'Enter' && onDone()}
      />
      <NativeSelect
        label={'\u00a0'}
        aria-label="Unit"
        data={Object.entries(units).map(([key, label]) => ({ value: key, label }))}
        value={unit}
        onChange={({ currentTarget }) => onChange(`${Number(value.replace(/\D+$/, ''))}${currentTarget.value}`)}
      />
    </div>
  )
}
