import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { newWebhook, webhookPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { RowLink } from '../../../ui/page/rows.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { healthOf, shortAddress, type Webhook, webhooksQuery } from '../../../webhooks/webhook.ts'
import { CompanyPage } from '../company-area.tsx'
import { eventsInWords } from './event-words.ts'
import { HealthDot, SuccessRate } from './health.tsx'
import css from './webhooks.module.css'

export function Webhooks() {
  const { may } = useSignedIn()
  const { data } = useQuery({ ...webhooksQuery, enabled: may('webhooks.manage') })
  return (
    <CompanyPage
      title="Webhooks"
      lead="Kith notifies your apps when records change. Each request is signed, logged and, if it fails, retried for three days."
      needs="webhooks.manage"
      wide
      actions={data?.length ? <AddWebhook /> : undefined}
    >
      <WebhookList />
    </CompanyPage>
  )
}

const AddWebhook = () => (
  <ButtonLink to={webhookPage} params={{ id: newWebhook }} leftSection={<Plus size={15} />}>
    Add webhook
  </ButtonLink>
)

const columns = (objects: ObjectShape[]): Column<Webhook>[] => [
  {
    key: 'address',
    label: 'URL',
    bare: true,
    cell: ({ id, target_url, description }) => (
      <>
        <RowLink to={webhookPage} params={{ id }} title={target_url}>
          {description || shortAddress(target_url)}
        </RowLink>
        {description && <span className={css.url}>{shortAddress(target_url)}</span>}
      </>
    ),
  },
  {
    key: 'events',
    label: 'Events',
    cell: (webhook) => (
      <>
        {eventsInWords(webhook, objects)}
        {webhook.filter && ', with a filter'}
      </>
    ),
  },
  { key: 'state', label: 'State', bare: true, cell: (webhook) => <HealthDot of={healthOf(webhook)} /> },
  { key: 'rate', label: 'Success, 24 h', cell: (webhook) => <SuccessRate of={webhook} /> },
  {
    key: 'last',
    label: 'Last attempt',
    cell: ({ last_attempt_at }) =>
      last_attempt_at ? <Ago at={last_attempt_at} /> : <span className={css.dim}>Never</span>,
  },
]

function WebhookList() {
  const webhooks = useQuery({ ...webhooksQuery, refetchInterval: 10_000 })
  const objects = useSchema()
  const none = (
    <Message icon={WebhookIcon} title="No webhooks yet" action={<AddWebhook />}>
      Enter the URL of your app and choose the events it should receive. Zapier, Make and n8n can add theirs
      automatically.
    </Message>
  )
  return (
    <LoadedList query={webhooks} what="webhooks" height={180} empty={none}>
      {(items) => (
        <DataTable
          label="Webhooks"
          className={css.table}
          columns={columns(objects)}
          items={items}
          row={({ state }) => ({ 'data-off': state !== 'active' || undefined })}
        />
      )}
    </LoadedList>
  )
}
