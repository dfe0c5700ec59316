import { Button, ColorInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { languages } from '../../../../contract/shared/shapes.ts'
import { useChannelsChanged } from '../../../channels/channels.ts'
import { type Chat, chatQuery } from '../../../channels/chat.ts'
import { api } from '../../../client/api.ts'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Confirm, Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogForm, Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { ShownOnce } from '../../../ui/page/shown-once.tsx'
import { CodeBlock } from '../../../ui/text/code.tsx'
import css from './chat.module.css'

/** A name and the site are enough to begin; the rest has its place on the page. */
export function CreateChat({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }) {
  const changed = useChannelsChanged()
  const [made, setMade] = useState<{ chat: Chat; identity_secret: string }>()
  const { form, text, values, change, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/chat.ts'),
      ({ chats }) => chats.createChat.input,
    ),
    initial: { name: 'Website', allowed_origins: [] as string[] },
    send: api.createChat,
    onDone: async (answer) => {
      setMade(answer)
      await changed()
    },
  })
  if (made) return <CreatedChat {...made} onClose={() => onDone(made.chat.id)} />
  return (
    <Dialog title="Add website chat" size={452} onClose={onClose}>
      <DialogForm of={form} action="Create chat" onCancel={onClose}>
        <TextInput label="Name" description="Shown above the chat" data-autofocus {...text('name')} />
        <Sites
          value={values.allowed_origins}
          errors={errors}
          onChange={(allowed_origins) => change({ allowed_origins })}
        />
      </DialogForm>
    </Dialog>
  )
}

type CreatedProps = { chat: Chat; identity_secret: string; onClose: () => void }

const CreatedChat = ({ chat, identity_secret, onClose }: CreatedProps) => (
  <Dialog title="Website chat created" size={560} tall onClose={onClose}>
    <div className={css.parts}>
      <section className={css.part} aria-label="Snippet">
        <h3>Add it to your site</h3>
        <p>Copy this line into every page, before the end of the body.</p>
        <Snippet of={chat} />
        <NoSites of={chat} />
      </section>
      <section className={css.part} aria-label="Accounts">
        <h3>If your site has accounts</h3>
        <p>
          Your site’s server signs the identity of users with this secret. Copy it now: it is not shown again. You only
          need it if your site has accounts, and you can rotate it later.
        </p>
        <ShownOnce label="Identity secret" value={identity_secret} copy="Copy secret" />
      </section>
    </div>
    <DialogActions>
      <Button onClick={onClose}>Continue</Button>
    </DialogActions>
  </Dialog>
)

const Snippet = ({ of: { snippet } }: { of: Chat }) => <CodeBlock code={snippet} what="snippet" caption="HTML" wraps />

const NoSites = ({ of: { allowed_origins } }: { of: Chat }) =>
  allowed_origins.length === 0 && (
    <p className={css.warning}>No site can show the chat yet. Add yours to the allowed sites in the settings.</p>
  )

type SitesProps = { value: string[]; errors: Record<string, string>; onChange: (value: string[]) => void }

const Sites = ({ value, errors, onChange }: SitesProps) => (
  <TagsInput
    label="Allowed sites"
    description="Websites that may show the chat. Press Enter after each."
    placeholder={value.length ? undefined : 'https://www.example.com'}
    acceptValueOnBlur
    value={value}
    onChange={onChange}
    error={errorUnder(errors, 'allowed_origins')}
  />
)

export function ChatSettings({ id }: { id: string }) {
  const chat = useQuery(chatQuery(id))
  return (
    <Loaded query={chat} what="chat" small>
      {(chat) => (
        <>
          <Section title="On your site" about="Copy this line into every page, before the end of the body.">
            <Snippet of={chat} />
            <NoSites of={chat} />
          </Section>
          <Section title="Settings" about="What visitors see and what they are asked for.">
            <Settings of={chat} />
          </Section>
          <Section title="Identity" about="For sites with accounts: their users are recognized on any device.">
            <Secret of={chat} />
          </Section>
          <Section title="Offline" about="Visitors can leave a message with their address, which becomes a lead.">
            <Pause of={chat} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

function useSaved() {
  const client = useQueryClient()
  const changed = useChannelsChanged()
  return async (saved: Chat) => {
    client.setQueryData(chatQuery(saved.id).queryKey, saved)
    await changed()
  }
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

function Settings({ of: chat }: { of: Chat }) {
  const saved = useSaved()
  const valuesOf = ({ name, greeting, consent, accent, language, asks_email, allowed_origins }: Chat) => ({
    name,
    greeting,
    consent,
    accent,
    asks_email,
    allowed_origins,
    language: language as string,
  })
  const { form, text, checked, choice, values, change, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/chat.ts'),
      ({ chats }) => chats.updateChat.input,
    ),
    initial: valuesOf(chat),
    ask: (values) => ({ id: chat.id, ...values, language: values.language as Chat['language'] }),
    send: api.updateChat,
    read: valuesOf,
    onDone: async (answer) => {
      say('Chat saved')
      await saved(answer)
    },
  })
  return (
    <div className={css.columns}>
      <Form of={form}>
        <TextInput label="Name" description="Shown above the chat" autoComplete="off" {...text('name')} />
        <Sites
          value={values.allowed_origins}
          errors={errors}
          onChange={(allowed_origins) => change({ allowed_origins })}
        />
        <Textarea
          label="Greeting"
          description="Shown before the first message"
          autosize
          minRows={2}
          {...text('greeting')}
        />
        <Textarea label="Privacy notice" autosize minRows={2} {...text('consent')} />
        <ColorInput
          label="Color"
          format="hex"
          withEyeDropper={false}
          value={values.accent}
          onChange={(accent) => change({ accent })}
          error={errors.accent}
        />
        <Select
          label="Language"
          data={languages.map((value) => ({ value, label: languageNames.of(value) ?? value }))}
          {...choice('language')}
        />
        <Switch label="Ask for an email address before the first message" {...checked('asks_email')} />
        <FormSubmit of={form}>Save chat</FormSubmit>
      </Form>
      <Preview of={values} />
    </div>
  )
}

/** The element that websites embed, in server/channels/chat/chat-element.js. With the attribute preview it sends nothing. */
type ChatElement = HTMLElement & { preview: (look: object) => void }

const page = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Preview</title>
<script src="/public/chat/script" async></script></head><body><kith-chat preview></kith-chat></body></html>`

function Preview({
  of: { name, greeting, consent, accent, language },
}: {
  of: Pick<Chat, 'name' | 'greeting' | 'consent' | 'accent'> & { language: string }
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [element, setElement] = useState<ChatElement>()
  const connect = async () => {
    const inside = frame.current?.contentWindow
    await inside?.customElements.whenDefined('kith-chat')
    setElement(inside?.document.querySelector<ChatElement>('kith-chat') ?? undefined)
  }
  useEffect(() => {
    if (/^#[0-9a-f]{6}$/i.test(accent)) element?.preview({ name, greeting, consent, accent, language })
  }, [element, name, greeting, consent, accent, language])
  return (
    <iframe
      ref={frame}
      className={css.preview}
      title="Preview of the chat"
      srcDoc={page}
      onLoad={() => void connect()}
    />
  )
}

function Secret({ of: chat }: { of: Chat }) {
  const [isAsked, ask] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [overlap, setOverlap] = useState('24')
  return (
    <div className={css.parts}>
      <p className={css.hint}>
        Your site’s server signs two lines with the secret using HMAC-SHA256, such as <code>id:42</code> and{' '}
        <code>email:ada@example.com</code>, each ending with a line break. The page passes them in{' '}
        <code>data-user-id</code>, <code>data-email</code> and <code>data-signature</code>. Without a signature, the
        address is unverified.
      </p>
      {secret ? (
        <ShownOnce label="Identity secret" value={secret} copy="Copy secret" />
      ) : (
        <div>
          <Button variant="default" onClick={() => ask(true)}>
            Rotate secret
          </Button>
        </div>
      )}
      {isAsked && (
        <Confirm
          title="Rotate the secret?"
          action="Rotate secret"
          act={async () =>
            setSecret((await api.renewChatSecret({ id: chat.id, overlap_hours: Number(overlap) })).identity_secret)
          }
          onDone={() => ask(false)}
          onClose={() => ask(false)}
        >
          <Select
            label="Old secret"
            description="If it has leaked, make it stop working immediately."
            allowDeselect={false}
            data={[
              { value: '24', label: 'Stays valid for 24 hours' },
              { value: '0', label: 'Stops working immediately' },
            ]}
            value={overlap}
            onChange={(next) => next && setOverlap(next)}
          />
        </Confirm>
      )}
    </div>
  )
}

function Pause({ of: chat }: { of: Chat }) {
  const saved = useSaved()
  const { mutate, isPending } = useMutation({
    mutationFn: (is_paused: boolean) => api.updateChat({ id: chat.id, is_paused }),
    onSuccess: saved,
    onError: (error) => complain('The chat was not changed', error),
  })
  return (
    <Switch
      label="Chat is paused"
      description={
        chat.is_paused
          ? 'Visitors leave a message.'
          : 'It also goes offline automatically while no one in your company is using Kith.'
      }
      checked={chat.is_paused}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  )
}
