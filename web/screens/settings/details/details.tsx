import { useQueryClient } from '@tanstack/react-query'
import { countryOfLanguage } from '../../../../contract/regions/countries.ts'
import { api } from '../../../client/api.ts'
import { sessionQuery, useSignedIn, useUpdateCompany } from '../../../client/session.ts'
import { asCountry } from '../../../records/data/value-text.ts'
import { Picture } from '../../../ui/basics/avatar.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { NameForm } from '../../../ui/form/form.tsx'
import { PictureField } from '../../../ui/form/picture-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import { asDay } from '../../../ui/text/moments.ts'
import { nameOfCurrency, nameOfLanguage, nameOfTimeZone } from '../../../ui/text/numbers.ts'
import { CompanyPage } from '../company-area.tsx'
import { CurrencyForm, rateInWords } from './currency-form.tsx'
import css from './details.module.css'
import { nameOfWeekday, RegionForm } from './region-form.tsx'

export function Details() {
  const { company, may } = useSignedIn()
  return (
    <CompanyPage title="Company details" lead={`${company.name} has used Kith since ${asDay(company.created_at)}.`}>
      {may('company.manage') ? <Forms /> : <CompanyFacts />}
    </CompanyPage>
  )
}

const Forms = () => (
  <>
    <Section title="Identity" about="How your colleagues see the company, at the top of the navigation.">
      <Logo />
      <CompanyNameForm />
    </Section>
    <Section title="Region" about="Default for everyone who has not chosen otherwise in their profile.">
      <RegionForm />
    </Section>
    <Section title="Currencies" about="Totals of records in several currencies are shown in the company currency.">
      <CurrencyForm />
    </Section>
  </>
)

/** The same for those who may look but not change. */
function CompanyFacts() {
  const { company } = useSignedIn()
  const { currency, rates } = company
  return (
    <Section title="Details" about="An Admin of your company can change them.">
      <Facts
        of={[
          ['Logo', company.logo_id && <Picture id={company.logo_id} size={48} />],
          ['Company name', company.name],
          ['Currency', `${currency}, ${nameOfCurrency(currency)}`],
          [
            'Rates',
            rates.length ? rates.map((rate) => <div key={rate.currency}>{rateInWords(rate, currency)}</div>) : null,
          ],
          ['Time zone', nameOfTimeZone(company.time_zone)],
          ['Language', nameOfLanguage(company.language)],
          ['Country', asCountry(company.country ?? countryOfLanguage(company.language) ?? '')],
          ['First day of the week', nameOfWeekday(company.first_weekday)],
        ]}
      />
    </Section>
  )
}

function Logo() {
  const { company } = useSignedIn()
  const client = useQueryClient()
  const set = async (image: string | null) => {
    const changed = await api.updateCompanyLogo({ image })
    client.setQueryData(sessionQuery.queryKey, (old) =>
      old?.state === 'signed_in' ? { ...old, company: changed } : old,
    )
  }
  return (
    <div className={css.logo}>
      <PictureField label="Logo" pictureId={company.logo_id} onChange={set} />
    </div>
  )
}

function CompanyNameForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateCompany()
  const input = rulesOf(
    () => import('../../../../contract/company.ts'),
    ({ company }) => company.updateCompany.input,
  )
  return (
    <NameForm label="Company name" autoComplete="organization" name={company.name} input={input} save={mutateAsync} />
  )
}
