import { countryOfLanguage } from '../../../../contract/countries.ts'
import { useSignedIn } from '../../../client/session.ts'
import { asCountry } from '../../../records/value-text.ts'
import { Facts } from '../../../ui/facts.tsx'
import { nameOfCurrency, nameOfLanguage, nameOfTimeZone } from '../../../ui/locale-names.ts'
import { Picture } from '../../../ui/picture.tsx'
import { Section } from '../../../ui/section.tsx'
import { rateInWords } from './rate-words.ts'
import { nameOfWeekday } from './weekdays.ts'

/** The same for those who may look but not change. */
export function CompanyFacts() {
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
