import { Button, TagsInput } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { CodeBlock, CopyCode } from '../../../ui/text/code.tsx'
import css from './embed.module.css'
import { type LeadSource, useLeadsChanged } from './lead-source.ts'

/** Every way to put the form on a site, ready to copy. */
export const Embed = ({ source }: { source: LeadSource }) => {
  const { embed } = source
  const home = new URL(embed.page).origin
  return (
    <div className={css.all}>
      <Section title="Websites" about="Only these sites can show and submit the form.">
        <Origins source={source} />
      </Section>
      <Section
        title="Script"
        about="Recommended. The form becomes part of your page and takes on its styles. 6 kB, no cookies."
      >
        <CodeBlock code={embed.script} what="script" caption="Paste where the form should appear" />
        <p className={css.hint}>
          If your site has a content security policy, add <code>script-src {home}</code> and{' '}
          <code>connect-src {home}</code>. Nothing else is needed.
        </p>
      </Section>
      <Section title="Hosted page" about="A separate page for links, ads and QR codes. Works without JavaScript.">
        <div className={css.page}>
          <CopyCode value={embed.page} what="address" whole />
          <Button
            component="a"
            href={embed.page}
            target="_blank"
            rel="noopener"
            variant="default"
            size="xs"
            leftSection={<ExternalLink size={13} />}
          >
            Open
          </Button>
        </div>
      </Section>
      <Section title="Iframe" about="For site builders that do not allow scripts.">
        <CodeBlock code={embed.iframe} what="iframe" caption="HTML" />
        <p className={css.hint}>
          A content security policy needs <code>frame-src {home}</code>.
        </p>
      </Section>
      <Section title="Plain HTML" about="Your own markup. People see the thank-you page after sending.">
        <CodeBlock code={embed.html} what="HTML form" caption="HTML" />
        <p className={css.hint}>
          A content security policy needs <code>form-action {home}</code>. Forms without the script have less protection
          against spam.
        </p>
      </Section>
      <Section title="API" about="JSON from your server, with an API key. Any lead field can be sent.">
        <CodeBlock code={embed.curl} what="request" caption="curl" />
      </Section>
    </div>
  )
}

function Origins({ source }: { source: LeadSource }) {
  const changed = useLeadsChanged()
  const { form, values, change, errors, isDirty } = useForm({
    input: rulesOf(
      () => import('../../../../contract/lead-sources.ts'),
      ({ leadSources }) => leadSources.updateLeadSource.input.pick({ allowed_origins: true }),
    ),
    initial: { allowed_origins: source.allowed_origins },
    send: (sent) => api.updateLeadSource({ id: source.id, ...sent }),
    read: ({ allowed_origins }) => ({ allowed_origins }),
    onDone: async (saved) => {
      say('Websites saved')
      await changed(saved)
    },
  })
  return (
    <Form of={form}>
      <TagsInput
        label="Allowed websites"
        description="e.g. https://www.example.com. The hosted page needs none."
        placeholder={values.allowed_origins.length ? undefined : 'https://www.example.com'}
        inputMode="url"
        acceptValueOnBlur
        value={values.allowed_origins}
        error={errorUnder(errors, 'allowed_origins')}
        onChange={(allowed_origins) => change({ allowed_origins })}
      />
      <FormSubmit of={form} disabled={!isDirty}>
        Save websites
      </FormSubmit>
    </Form>
  )
}
