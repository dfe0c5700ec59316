import { useSignedIn } from '../../../client/session.ts'
import { asDay } from '../../../ui/moments.ts'
import { Section } from '../../../ui/section.tsx'
import { CompanyPage } from '../company-page.tsx'
import { CompanyFacts } from './company-facts.tsx'
import { CurrencyForm } from './currency-form.tsx'
import { Logo } from './logo.tsx'
import { CompanyNameForm } from './name-form.tsx'
import { RegionForm } from './region-form.tsx'

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
    <Section title="Region" about="Holds for everybody who has chosen nothing else in their profile.">
      <RegionForm />
    </Section>
    <Section
      title="Currencies"
      about="Sums over records in several currencies are shown in the currency of the company."
    >
      <CurrencyForm />
    </Section>
  </>
)
