import { Select, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/operation.ts'
import { useSignedIn, useUpdateCompany } from '../../../client/session.ts'
import { check } from '../../../ui/basics/errors.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asNumber, asTyped, type Choice, currencyChoices, readDecimal } from '../../../ui/text/numbers.ts'
import css from './details.module.css'

type Company = ReturnType<typeof useSignedIn>['company']

/** What is not a number is said with an example, as it is typed in this language. */
const withNumbers =
  ({ company }: typeof import('../../../../contract/company.ts')) =>
  (sent: Input<typeof contract.updateCompany>) => {
    const errors = check(company.updateCompany.input, sent)
    for (const [i, { rate }] of (sent.rates ?? []).entries())
      if (Number.isNaN(rate)) errors[`rates.${i}.rate`] = `Enter a number such as ${asTyped(0.95)}`
    return errors
  }

type Money = { currency: string; rates: TypedRate[] }

export function CurrencyForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateCompany()
  const choices = useMemo(currencyChoices, [])
  const { form, values, change, errors } = useForm({
    input: rulesOf(() => import('../../../../contract/company.ts'), withNumbers),
    initial: moneyOf(company),
    ask: ({ currency, rates }) => ({
      currency,
      rates: rates.map((one) => ({ currency: one.currency, rate: rateOf(one.rate) })),
    }),
    send: mutateAsync,
    read: moneyOf,
    onDone: () => say('Currencies saved'),
  })
  const { currency, rates } = values
  const choose = (chosen: string | null) =>
    chosen && change({ currency: chosen, rates: rates.filter((one) => one.currency !== chosen) })
  const moved = currency !== company.currency && rates.length > 0
  return (
    <Form of={form}>
      <Select
        label="Company currency"
        description={moved && `The rates below now apply to ${currency}. Check each one before you save.`}
        searchable
        nothingFoundMessage="No such currency"
        data={choices}
        value={currency}
        error={errors.currency}
        onChange={choose}
      />
      <Rates own={currency} rates={rates} choices={choices} errors={errors} onChange={(rates) => change({ rates })} />
      <FormSubmit of={form}>Save currencies</FormSubmit>
    </Form>
  )
}

const moneyOf = ({ currency, rates }: Company): Money => ({
  currency,
  rates: rates.map((one) => ({ currency: one.currency, rate: asTyped(one.rate) })),
})

const rateOf = (typed: string) => (typed.trim() ? Number(readDecimal(typed)) : 0)

/** As entered in its field. */
type TypedRate = { currency: string; rate: string }

type Props = {
  own: string
  rates: TypedRate[]
  choices: Choice[]
  errors: Record<string, string>
  onChange: (rates: TypedRate[]) => void
}

function Rates({ own, rates, choices, errors, onChange }: Props) {
  const taken = [own, ...rates.map(({ currency }) => currency)]
  const without = (currency: string) => rates.filter((one) => one.currency !== currency)
  const withRate = (currency: string, rate: string) =>
    rates.map((one) => (one.currency === currency ? { currency, rate } : one))
  return (
    <fieldset className={css.group}>
      <legend className={css.legend}>Other currencies</legend>
      {rates.length === 0 && <p className={css.hint}>None yet. Add the other currencies your company sells in.</p>}
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
            <IconButton icon={X} label={`Remove ${currency}`} onClick={() => onChange(without(currency))} />
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

type RateWords = { currency: string; rate: number }

/** `1 USD = 0.92 EUR` */
export const rateInWords = ({ currency, rate }: RateWords, own: string) => `1 ${currency} = ${asNumber(rate)} ${own}`
