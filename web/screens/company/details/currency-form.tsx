import { Select } from '@mantine/core'
import { useMemo } from 'react'
import * as z from 'zod'
import { Rate } from '../../../../contract/company.ts'
import { contract } from '../../../../contract/index.ts'
import { useSignedIn, useUpdateCompany } from '../../../client/session.ts'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { FormSubmit } from '../../../ui/form-submit.tsx'
import { currencyChoices } from '../../../ui/locale-names.ts'
import { say } from '../../../ui/notices.tsx'
import { asTyped } from '../../../ui/numbers.ts'
import { readDecimal } from '../../../ui/read-decimal.ts'
import { Rates, type TypedRate } from './rates.tsx'

type Company = ReturnType<typeof useSignedIn>['company']
const plainNumber = z.number({ error: () => `Enter a number such as ${asTyped(0.95)}` })
const input = contract.updateCompany.input.extend({
  rates: z.array(Rate.extend({ rate: plainNumber.pipe(Rate.shape.rate) })),
})

type Money = { currency: string; rates: TypedRate[] }

export function CurrencyForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateCompany()
  const choices = useMemo(currencyChoices, [])
  const { draft, values, change, errors, isPending } = useDraft({
    input,
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
    <DraftForm draft={draft}>
      <Select
        label="Currency of the company"
        description={moved && `The rates below are now taken as ${currency}. Check each of them before you save.`}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such currency"
        data={choices}
        value={currency}
        error={errors.currency}
        onChange={choose}
      />
      <Rates own={currency} rates={rates} choices={choices} errors={errors} onChange={(rates) => change({ rates })} />
      <FormSubmit isPending={isPending}>Save currencies</FormSubmit>
    </DraftForm>
  )
}

const moneyOf = ({ currency, rates }: Company): Money => ({
  currency,
  rates: rates.map((one) => ({ currency: one.currency, rate: asTyped(one.rate) })),
})

const rateOf = (typed: string) => (typed.trim() ? Number(readDecimal(typed)) : 0)
