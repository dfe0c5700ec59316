import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { webhookPage } from '../client/areas.ts'
import { StatusNote } from '../ui/basics/status.tsx'
import css from './banner.module.css'
import { shortAddress, webhooksQuery } from './webhook.ts'

/** Above the pages of the Company area, for those who can do something about it. */
export function DisabledWebhooks() {
  const { data = [] } = useQuery(webhooksQuery)
  const { id: shown } = useParams({ strict: false })
  // The page of the webhook itself says so.
  const disabled = data.filter(({ id, state }) => state === 'disabled' && id !== shown)
  const [first] = disabled
  if (!first) return null
  return (
    <div className={css.banner}>
      <StatusNote tone="bad">
        <strong>
          {disabled.length === 1 ? 'Kith disabled a webhook.' : `Kith disabled ${disabled.length} webhooks.`}
        </strong>{' '}
        <Link to={webhookPage} params={{ id: first.id }}>
          <bdi>{first.description || shortAddress(first.target_url)}</bdi>
        </Link>{' '}
        receives no events: {first.disabled_reason}
      </StatusNote>
    </div>
  )
}
