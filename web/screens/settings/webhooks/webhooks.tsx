import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { newWebhook, webhookPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { RowLink } from '../../../ui/page/rows.tsx'
import { Cell, Head, Row, Table } from '../../../ui/page/table.tsx'
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
      lead="Kith calls your programs when records change. Each request is signed, logged and repeated for three days if it fails."
      needs="webhooks.manage"
      wide
      actions={data?.length ? <AddWebhook /> : undefined}
    >
      <WebhookList />
    </CompanyPage>
  )
}

const AddWebhook = () => (
  <Button
    renderRoot={(props) => <Link {...props} to={webhookPage} params={{ id: newWebhook }} />}
    leftSection={<Plus size={15} aria-hidden="true" />}
  >
    Add webhook
  </Button>
)

const columns = ['Address', 'Events', 'State', 'Success, 24 h', 'Last attempt'].map((column) => (
  <Head key={column}>{column}</Head>
))

function WebhookList() {
  const webhooks = useQuery({ ...webhooksQuery, refetchInterval: 10_000 })
  const objects = useSchema()
  const none = (
    <Message icon={WebhookIcon} title="No webhooks yet" action={<AddWebhook />}>
      Enter the address of your program and choose the events it should receive. Zapier, Make and n8n can add theirs
      themselves.
    </Message>
  )
  return (
    <LoadedList query={webhooks} what="webhooks" height={180} empty={none}>
      {(items) => (
        <Table label="Webhooks" className={css.table} head={columns}>
          {items.map((webhook) => (
            <WebhookRow key={webhook.id} of={webhook} objects={objects} />
          ))}
        </Table>
      )}
    </LoadedList>
  )
}

const WebhookRow = ({ of: webhook, objects }: { of: Webhook; objects: ObjectShape[] }) => (
  <Row data-off={webhook.state !== 'active' || undefined}>
    <Cell kind="address">
      <RowLink to={webhookPage} params={{ id: webhook.id }} title={webhook.target_url}>
        {webhook.description || shortAddress(webhook.target_url)}
      </RowLink>
      {webhook.description && <span className={css.url}>{shortAddress(webhook.target_url)}</span>}
    </Cell>
    <Cell kind="events" label="Events">
      {eventsInWords(webhook, objects)}
      {webhook.filter && ', with a filter'}
    </Cell>
    <Cell kind="state">
      <HealthDot of={healthOf(webhook)} />
    </Cell>
    <Cell kind="rate" label="Success, 24 h">
      <SuccessRate of={webhook} />
    </Cell>
    <Cell kind="last" label="Last attempt">
      {webhook.last_attempt_at ? <Ago at={webhook.last_attempt_at} /> : <span className={css.dim}>Never</span>}
    </Cell>
  </Row>
)
