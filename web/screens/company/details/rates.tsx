import { ActionIcon, Select, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import type { Choice } from '../../../ui/locale-names.ts'
import css from './details.module.css'

/** As it stands in its field. */
export type TypedRate = { currency: string; rate: string }

type Props = {
  own: string
  rates: TypedRate[]
  choices: Choice[]
  errors: Record<string, string>
  onChange: (rates: TypedRate[]) => void
}

export function Rates({ own, rates, choices, errors, onChange }: Props) {
  const taken = [own, ...rates.map(({ currency }) => currency)]
  const without = (currency: string) => rates.filter((one) => one.currency !== currency)
  const withRate = (currency: string, rate: string) =>
    rates.map((one) => (one.currency === currency ? { currency, rate } : one))
  return (
    <fieldset className={css.group}>
      <legend className={css.legend}>Other currencies</legend>
      {rates.length === 0 && <p className={css.hint}>None yet. Add those in which your company also sells.</p>}
      <ul className={css.rates}>
        {rates.map(({ currency, rate }, index) => (
          <li key={currency} className={css.rate}>
            <span>1 {currency} =</span>
            <TextInput
              aria-label={`Rate of ${currency}`}
              inputMode="decimal"
              autoComplete="off"
              value={rate}
              error={Boolean(faultOf(errors, index))}
              onChange={(event) => onChange(withRate(currency, event.currentTarget.value))}
            />
            <span>{own}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove ${currency}`}
              onClick={() => onChange(without(currency))}
            >
              <X size={15} aria-hidden="true" />
            </ActionIcon>
            {faultOf(errors, index) && <span className={css.wrong}>{faultOf(errors, index)}</span>}
          </li>
        ))}
      </ul>
      <Select
        className={css.add}
        aria-label="Add a currency"
        placeholder="Add a currency"
        searchable
        nothingFoundMessage="No such currency"
        data={choices.filter(({ value }) => !taken.includes(value))}
        value={null}
        onChange={(currency) => currency && onChange([...rates, { currency, rate: '' }])}
      />
    </fieldset>
  )
}

const faultOf = (errors: Record<string, string>, index: number) =>
  errors[`rates.${index}.rate`] ?? errors[`rates.${index}.currency`] ?? errors[`rates.${index}`]
