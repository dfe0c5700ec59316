import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, MailWarning, Send } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { CompanyPage } from '../company-area.tsx'
import css from './mail.module.css'
import { MailForm, type MailSettings, mailQuery } from './mail-form.tsx'

export const Mail = () => (
  <CompanyPage title="Mail" lead="The mail server that sends invitations, reset links and notifications." needs="admin">
    <MailParts />
  </CompanyPage>
)

function MailParts() {
  const settings = useQuery(mailQuery)
  return (
    <Loaded query={settings} what="mail settings" height={320}>
      {(settings) => (
        <>
          <Section title="Status">
            <MailSource of={settings} />
            {settings.source !== 'none' && <TestMail />}
          </Section>
          <Section
            title="Your own server"
            about={
              settings.source === 'environment'
                ? 'Optional. Mail is already sent without it.'
                : 'Ask your mail provider for these values. They are often listed under SMTP or outgoing mail.'
            }
          >
            <OwnServer key={settings.source} settings={settings} />
          </Section>
          {settings.source === 'company' && (
            <Section title="Remove" about="Kith deletes the server settings and the password.">
              <RemoveMail />
            </Section>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Where the installation already sends mail, its form only opens on request. */
function OwnServer({ settings }: { settings: MailSettings }) {
  const [isOpen, open] = useState(settings.source !== 'environment')
  if (isOpen) return <MailForm settings={settings} />
  return (
    <Button variant="default" onClick={() => open(true)}>
      Use another server
    </Button>
  )
}

/** Where mail comes from, in words. */
function MailSource({ of: { source, host, from_name, from_email } }: { of: MailSettings }) {
  const sender = [from_name, from_email && `<${from_email}>`].filter(Boolean).join(' ')
  if (source === 'none')
    return (
      <p className={css.source} data-tone="warn">
        <MailWarning size={16} />
        <span>
          <strong>Mail is not set up.</strong> No email is sent. You have to share invitation and reset links yourself.
        </span>
      </p>
    )
  return (
    <p className={css.source}>
      <CircleCheck size={16} />
      <span>
        <strong>{source === 'company' ? 'Your own server sends mail.' : 'Mail is set up for you.'}</strong>{' '}
        {source === 'company'
          ? `Sent via ${host}`
          : `The person who runs your Kith server has set up the mail server${host ? ` ${host}` : ''}. It sends`}
        {sender && ` as ${sender}`}.
      </span>
    </p>
  )
}

function RemoveMail() {
  const [asked, ask] = useState(false)
  const client = useQueryClient()
  const act = async () => client.setQueryData(mailQuery.queryKey, await api.deleteMailSettings({}))
  return (
    <>
      <Button variant="default" className={css.bad} onClick={() => ask(true)}>
        Remove the mail server
      </Button>
      {asked && (
        <Confirm
          title="Remove the mail server?"
          action="Remove"
          act={act}
          onDone={() => say('Mail server removed')}
          onClose={() => ask(false)}
        >
          <p>
            Mail will be sent via the default mail server of your Kith server, if there is one. Otherwise, no mail is
            sent and you have to share links yourself.
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Sends with what is saved, to the person who asks. */
function TestMail() {
  const { mutate, isPending, data, error } = useMutation({ mutationFn: () => api.testMailSettings({}) })
  return (
    <>
      <Button variant="default" loading={isPending} leftSection={<Send size={14} />} onClick={() => mutate()}>
        Send a test email
      </Button>
      <div role="status" className={css.outcome}>
        {data && !isPending && (
          <p className={css.source}>
            <CircleCheck size={16} />
            <span>Sent to {data.sent_to}. Check your inbox and your spam folder.</span>
          </p>
        )}
      </div>
      <div className={css.refusal}>
        <FormFailure>{error && !isPending && wordsOf(error)}</FormFailure>
      </div>
    </>
  )
}
