import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { type Weekday, weekdays } from '../../../../contract/filter/moments.ts'
import type { contract } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/operation.ts'
import { countryOfLanguage } from '../../../../contract/regions/countries.ts'
import { useSignedIn, useUpdateCompany } from '../../../client/session.ts'
import { asCountry } from '../../../records/data/value-text.ts'
import { findCountries } from '../../../records/fields/countries.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { languageChoices, timeZoneChoices } from '../../../ui/text/numbers.ts'

type Region = ReturnType<typeof regionOf>

export function RegionForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateCompany()
  const countries = useMemo(() => findCountries('').map(({ code, name }) => ({ value: code, label: name })), [])
  const zones = useMemo(() => timeZoneChoices(company.time_zone), [company.time_zone])
  const { form, values, change, choice, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/company.ts'),
      ({ company }) => company.updateCompany.input,
    ),
    initial: regionOf(company),
    ask: (region) => region as Input<typeof contract.updateCompany>,
    send: mutateAsync,
    read: regionOf,
    onDone: () => say('Region saved'),
  })
  return (
    <Form of={form}>
      <Select
        label="Time zone"
        searchable
        nothingFoundMessage="No matching time zone. Try the name of a large city nearby."
        data={zones}
        {...choice('time_zone')}
      />
      <Select
        label="Language"
        description={`Sets how dates, numbers and money are formatted: ${sampleOf(values)}. The app itself is in English.`}
        searchable
        nothingFoundMessage="No such language"
        data={languageChoices}
        {...choice('language')}
      />
      <Select
        label="Country"
        description="Phone numbers without a country code get the code of this country."
        placeholder={asCountry(countryOfLanguage(values.language) ?? '')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear' }}
        nothingFoundMessage="No such country"
        data={countries}
        value={values.country}
        error={errors.country}
        onChange={(country) => change({ country })}
      />
      <Select label="First day of the week" data={weekdayChoices} {...choice('first_weekday')} />
      <FormSubmit of={form}>Save region</FormSubmit>
    </Form>
  )
}

type OwnCompany = ReturnType<typeof useSignedIn>['company']
const regionOf = ({ time_zone, language, country, first_weekday }: OwnCompany) => ({
  time_zone,
  language,
  country,
  first_weekday,
})

/** `12/31/2026, 1,234.5` as people of that language write it. */
function sampleOf({ language }: Region) {
  const day = new Date(2026, 11, 31).toLocaleDateString(language)
  return `${day} and ${(1234.5).toLocaleString(language, { minimumFractionDigits: 2 })}`
}

export const nameOfWeekday = (day: Weekday) => day[0]!.toUpperCase() + day.slice(1)
const weekdayChoices = (Object.keys(weekdays) as Weekday[]).map((value) => ({
  value,
  label: nameOfWeekday(value),
}))
