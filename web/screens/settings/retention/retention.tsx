import { SegmentedControl } from '@mantine/core'
import { useSignedIn, useUpdateRetention } from '../../../client/session.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { CompanyPage } from '../company-area.tsx'
import css from './retention.module.css'

export const Retention = () => (
  <CompanyPage title="Data retention" lead="How long Kith keeps data. Older data is permanently deleted." needs="admin">
    <RetentionForm />
  </CompanyPage>
)

type RetentionSettings = Pick<ReturnType<typeof useSignedIn>['company'], 'audit_days' | 'request_days' | 'trash_days'>
type Days = number | string

function RetentionForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateRetention()
  const { form, values, change, number } = useForm({
    input: rulesOf(
      () => import('../../../../contract/company.ts'),
      ({ company }) => company.updateRetentionSettings.input,
    ),
    initial: valuesOf(company),
    ask: ({ audit_days, request_days, trash_days }) => ({
      audit_days: audit_days === null ? null : Number(audit_days),
      request_days: Number(request_days),
      trash_days: Number(trash_days),
    }),
    send: mutateAsync,
    read: valuesOf,
    onDone: () => say('Data retention saved'),
  })
  const days = (field: 'audit_days' | 'request_days' | 'trash_days') => ({
    className: css.days,
    unit: 'days',
    isWhole: true,
    min: 1,
    ...number(field),
  })
  const { audit_days } = values
  return (
    <Form of={form} className="">
      <Section title="Audit log" about="Sign-ins, keys, roles and settings. Forever, or for at least 90 days.">
        <div className={css.line}>
          <span>Keep entries</span>
          <SegmentedControl
            aria-label="Keep the audit log"
            data={[
              { value: 'ever', label: 'Forever' },
              { value: 'days', label: 'For a number of days' },
            ]}
            value={audit_days === null ? 'ever' : 'days'}
            onChange={(choice) => change({ audit_days: choice === 'ever' ? null : (company.audit_days ?? 365) })}
          />
          {audit_days !== null && <NumberField aria-label="Days in the audit log" {...days('audit_days')} />}
        </div>
        <p className={css.words}>{audit_days === null ? 'Nothing is ever deleted.' : inWords('Entries', audit_days)}</p>
      </Section>
      <Section title="Request log" about="Shown in the request inspector. From 1 to 90 days.">
        <div className={css.line}>
          <span>Keep requests for</span>
          <NumberField aria-label="Days in the request log" {...days('request_days')} />
        </div>
        <p className={css.words}>{inWords('Requests', values.request_days)}</p>
      </Section>
      <Section title="Trash" about="How long deleted records can be restored. From 1 to 365 days.">
        <div className={css.line}>
          <span>Keep deleted records for</span>
          <NumberField aria-label="Days in the trash" {...days('trash_days')} />
        </div>
        <p className={css.words}>{inWords('Records in the trash', values.trash_days)}</p>
      </Section>
      <div className={css.save}>
        <FormSubmit of={form}>Save data retention</FormSubmit>
      </div>
    </Form>
  )
}

type Values = { audit_days: Days | null; request_days: Days; trash_days: Days }
const valuesOf = ({ audit_days, request_days, trash_days }: RetentionSettings): Values => ({
  audit_days,
  request_days,
  trash_days,
})

/** `Requests are deleted after 7 days.` */
function inWords(what: string, days: Days) {
  const count = Number(days)
  if (!count) return ''
  if (count === 1) return `${what} are deleted after a day.`
  const years = count % 365 === 0 ? count / 365 : 0
  return `${what} are deleted after ${years === 1 ? 'a year' : years ? `${years} years` : `${count} days`}.`
}
