import { Select } from '@mantine/core'
import { useState } from 'react'
import type { languages } from '../../../contract/shapes.ts'
import { useChoose, useSignedIn } from '../../client/session.ts'
import form from '../../ui/form.module.css'
import { languageChoices, nameOfLanguage, nameOfTimeZone, timeZoneChoices } from '../../ui/locale-names.ts'
import { complain } from '../../ui/notices.tsx'
import css from './profile.module.css'

type Language = (typeof languages)[number]

/** Each choice is kept as soon as it is made. */
export function RegionFields() {
  const { me, company } = useSignedIn()
  const choose = useChoose()
  const refused = (error: Error) => complain('Your choice was not kept', error)
  const [zones] = useState(() => timeZoneChoices(me.time_zone ?? company.time_zone))
  const asCompany = (name: string) => ({ value: '', label: `As the company: ${name}` })
  return (
    <div className={form.fields}>
      <Select
        label="Language"
        data={[asCompany(nameOfLanguage(company.language)), ...languageChoices]}
        value={me.language ?? ''}
        onChange={(value) => choose({ language: (value || null) as Language | null }, refused)}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No language fits"
      />
      <Select
        label="Time zone"
        data={[asCompany(nameOfTimeZone(company.time_zone)), ...zones]}
        value={me.time_zone ?? ''}
        onChange={(value) => choose({ time_zone: value || null }, refused)}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No time zone fits"
      />
      <p className={css.sample}>
        For example {sample(me.language ?? company.language, me.time_zone ?? company.time_zone, company.currency)}
      </p>
    </div>
  )
}

function sample(language: string, timeZone: string, currency: string) {
  const now = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const money = new Intl.NumberFormat(language, { style: 'currency', currency })
  return `${now.format(new Date())} and ${money.format(1234.5)}`
}
