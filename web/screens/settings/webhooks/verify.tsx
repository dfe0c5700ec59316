import { Button, Tabs } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { Section } from '../../../ui/basics/page.tsx'
import { CodeBlock } from '../../../ui/text/code.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import type { Webhook } from '../../../webhooks/webhook.ts'
import { snippets } from './snippets.ts'
import css from './webhook-form.module.css'

/** How a receiver checks that a request comes from Kith, and how its secret is replaced. */
export const Verify = ({ webhook, onRotate }: { webhook: Webhook; onRotate: () => void }) => (
  <div className={css.form}>
    <Section title="Signing secret" about="Shown once, when it is created. Store it securely with your app.">
      <div className={css.fields}>
        <p className={css.hint}>
          {webhook.old_secret_expires_at
            ? `Requests are signed with the new secret and, until ${asMinute(webhook.old_secret_expires_at)}, with the previous one as well.`
            : 'Requests are signed with one secret. If it is lost or leaked, rotate it.'}
        </p>
        <div>
          <Button variant="default" leftSection={<KeyRound size={14} />} onClick={onRotate}>
            Rotate secret
          </Button>
        </div>
      </div>
    </Section>
    <Section
      title="Verify requests"
      about="Verify the signature before you trust a request, using the body exactly as received. Kith follows Standard Webhooks, so its libraries work as well."
    >
      <Tabs defaultValue={snippets[0]?.name ?? null} keepMounted={false}>
        <Tabs.List aria-label="Language">
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CodeBlock code={code} what={`code for ${name}`} caption={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  </div>
)
