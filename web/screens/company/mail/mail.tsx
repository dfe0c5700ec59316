import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { CompanyPage } from '../company-page.tsx'
import { MailForm } from './mail-form.tsx'
import { mailQuery } from './mail-query.ts'
import { MailSource } from './mail-source.tsx'
import { RemoveMail } from './remove-mail.tsx'
import { TestMail } from './test-mail.tsx'

export const Mail = () => (
  <CompanyPage title="Mail" lead="The mail server that sends invitations, reset links and notifications." needs="admin">
    <MailParts />
  </CompanyPage>
)

function MailParts() {
  const settings = useQuery(mailQuery)
  if (settings.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Loading mail settings" />
  if (!settings.data) return <Failure error={settings.error} onRetry={settings.refetch} busy={settings.isFetching} />
  const { source } = settings.data
  return (
    <>
      <Section title="Right now">
        <MailSource of={settings.data} />
        {source !== 'none' && <TestMail />}
      </Section>
      <Section
        title="Your own server"
        about="Ask your mail provider for these values. They are often listed under SMTP or outgoing mail."
      >
        <MailForm key={source} settings={settings.data} />
      </Section>
      {source === 'company' && (
        <Section title="Remove" about="Kith forgets the server and its password.">
          <RemoveMail />
        </Section>
      )}
    </>
  )
}
