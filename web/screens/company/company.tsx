import { useSignedIn } from '../../session.ts'
import { asDay } from '../../ui/moments.ts'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import css from './company.module.css'
import { CompanyForm } from './company-form.tsx'
import { Users } from './users.tsx'

export function Company() {
  const { company, may } = useSignedIn()
  return (
    <Page title="Company" lead="Your company in Kith, and who works in it.">
      <Section title="General" about={`Using Kith since ${asDay(company.created_at)}.`}>
        {may('company.manage') ? <CompanyForm /> : <CompanyFacts />}
      </Section>
      <Section title="Users" about="The people and agents of this company.">
        <Users />
      </Section>
    </Page>
  )
}

function CompanyFacts() {
  const { company } = useSignedIn()
  return (
    <dl className={css.facts}>
      <dt>Company name</dt>
      <dd dir="auto">{company.name}</dd>
    </dl>
  )
}
