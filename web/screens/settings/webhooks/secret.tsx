import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { ShownOnce } from '../../../ui/page/shown-once.tsx'
import { useWebhooksChanged, type Webhook } from '../../../webhooks/webhook.ts'

type NewSecretProps = { title: string; secret: string; onClose: () => void }

/** The secret lives in this dialog alone and goes with it. Closing it uncopied asks once. */
export function NewSecret({ title, secret, onClose }: NewSecretProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isCopied || isAsked ? onClose() : setAsked(true))
  return (
    <Dialog title={title} size={560} onClose={close}>
      <ShownOnce label="Signing secret" value={secret} copy="Copy secret" onCopied={() => setCopied(true)}>
        <p>
          <strong>Copy the signing secret now.</strong> It is not shown again. Your program needs it to check that
          requests come from Kith; the Signatures tab has the code for it.
        </p>
      </ShownOnce>
      {isAsked && !isCopied && (
        <p role="alert">You have not copied the secret. If you lose it, rotate it to get another one.</p>
      )}
      <DialogActions>
        <Button variant="default" onClick={close}>
          {isAsked && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const overlaps = [
  { value: '0', label: 'Stops working immediately' },
  { value: '1', label: 'Stays valid for 1 hour' },
  { value: '24', label: 'Stays valid for 24 hours' },
  { value: '72', label: 'Stays valid for 3 days' },
  { value: '168', label: 'Stays valid for 7 days' },
]

/** A new secret. For a time requests are signed with both, so that no receiver has to change at the same moment. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const changed = useWebhooksChanged()
  const [secret, setSecret] = useState<string>()
  const { form, values, choice } = useForm({
    input: rulesOf(
      () => import('../../../../contract/webhooks.ts'),
      ({ webhooks }) => webhooks.renewWebhookSecret.input,
    ),
    initial: { overlap: '24' },
    ask: ({ overlap }) => ({ id: webhook.id, overlap_hours: Number(overlap) }),
    send: api.renewWebhookSecret,
    onDone: ({ secret, ...rotated }) => {
      setSecret(secret)
      void changed(rotated)
    },
    isGuarded: false,
  })
  if (secret !== undefined) return <NewSecret title="New signing secret" secret={secret} onClose={onClose} />
  return (
    <Dialog title="Rotate the signing secret" onClose={onClose}>
      <DialogForm
        of={form}
        about="Kith creates a new secret. While the current one is still valid, requests are signed with both, so your app keeps working until you switch."
        action="Rotate secret"
        onCancel={onClose}
      >
        <Select
          label="The current secret"
          data={overlaps}
          data-autofocus
          description={
            values.overlap === '0'
              ? 'Your app rejects requests until it has the new secret. Choose this if the secret has leaked.'
              : undefined
          }
          {...choice('overlap')}
        />
      </DialogForm>
    </Dialog>
  )
}
