import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { KeyRound, Pause, Play, RotateCw, Send, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { api } from '../../../client/api.ts'
import { companySections, newWebhook, webhookPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { LoadedPage } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { PageTabs } from '../../../ui/page/tabs.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { shortAddress, useWebhooksChanged, type Webhook, webhookQuery } from '../../../webhooks/webhook.ts'
import { CompanyPage } from '../company-area.tsx'
import { Deliveries } from './deliveries.tsx'
import { useWebhookSearch, type WebhookTab } from './search.ts'
import { NewSecret } from './secret.tsx'
import { Summary } from './summary.tsx'
import { Verify } from './verify.tsx'
import { type Open, WebhookDialog } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'

const route = getRouteApi('/frame/company-area/company/webhooks/$id')

export function WebhookPage() {
  const { may } = useSignedIn()
  const { id } = route.useParams()
  if (!may('webhooks.manage')) return <CompanyPage title="Webhook" needs="webhooks.manage" />
  return id === newWebhook ? <NewWebhook /> : <KnownWebhook key={id} id={id} />
}

function NewWebhook() {
  const navigate = useNavigate()
  const changed = useWebhooksChanged()
  const [made, setMade] = useState<{ id: string; secret: string }>()
  return (
    <CompanyPage title="New webhook" lead="It starts with the next change after you create it." wide>
      <WebhookForm
        onSaved={({ secret = '', ...webhook }) => {
          setMade({ id: webhook.id, secret })
          return changed(webhook)
        }}
        onCancel={() => void navigate({ to: companySections.webhooks.to })}
      />
      {made && (
        <NewSecret
          title="Webhook created"
          secret={made.secret}
          onClose={() => void navigate({ to: webhookPage, params: { id: made.id } })}
        />
      )}
    </CompanyPage>
  )
}

function KnownWebhook({ id }: { id: string }) {
  const webhook = useQuery(webhookQuery(id))
  return (
    <LoadedPage query={webhook} what="webhook" back={pages.company}>
      {(webhook) => <OneWebhook webhook={webhook} />}
    </LoadedPage>
  )
}

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const [dialog, open] = useState<Open>()
  const { search, openTab } = useWebhookSearch()
  const changed = useWebhooksChanged()
  const parts: Record<WebhookTab, ReactNode> = {
    deliveries: <Deliveries webhook={webhook} onTest={() => open('test')} />,
    settings: (
      <WebhookForm
        webhook={webhook}
        onSaved={async (saved) => {
          say('Webhook saved')
          await changed(saved)
        }}
      />
    ),
    verify: <Verify webhook={webhook} onRotate={() => open('rotate')} />,
  }
  return (
    <CompanyPage
      title={webhook.description || shortAddress(webhook.target_url)}
      lead={<CopyCode value={webhook.target_url} what="address" whole />}
      wide
      actions={<Actions of={webhook} open={open} />}
    >
      <Summary of={webhook} onResend={() => open('resend')} />
      <PageTabs label="About this webhook" of={tabs} parts={parts} tab={search.tab ?? 'deliveries'} onTab={openTab} />
      {dialog && <WebhookDialog open={dialog} webhook={webhook} onClose={() => open(undefined)} />}
    </CompanyPage>
  )
}

const tabs: Record<WebhookTab, string> = { deliveries: 'Deliveries', settings: 'Settings', verify: 'Signatures' }

function Actions({ of: webhook, open }: { of: Webhook; open: (dialog: Open) => void }) {
  const { turn, isTurning } = useTurn(webhook)
  const isOn = webhook.state === 'active'
  return (
    <>
      <Button variant="default" leftSection={<Send size={14} />} onClick={() => open('test')}>
        Send test event
      </Button>
      <Button
        variant="default"
        leftSection={isOn ? <Pause size={14} /> : <Play size={14} />}
        loading={isTurning}
        onClick={() => turn()}
      >
        {isOn ? 'Pause' : 'Resume'}
      </Button>
      <RowMenu
        of="this webhook"
        actions={[
          { label: 'Resend events', icon: RotateCw, open: () => open('resend') },
          { label: 'Rotate secret', icon: KeyRound, open: () => open('rotate') },
          { label: 'Delete', icon: Trash2, open: () => open('delete') },
        ]}
      />
    </>
  )
}

/** Pauses a webhook, or resumes one that is paused or disabled. */
function useTurn({ id, state }: Webhook) {
  const changed = useWebhooksChanged()
  const { mutate: turn, isPending: isTurning } = useMutation({
    mutationFn: () => (state === 'active' ? api.pauseWebhook({ id }) : api.resumeWebhook({ id })),
    onSuccess: (webhook) => {
      say(webhook.state === 'active' ? 'Webhook resumed' : 'Webhook paused')
      return changed(webhook)
    },
    onError: (error) => complain('The webhook was not changed', error),
  })
  return { turn, isTurning }
}
