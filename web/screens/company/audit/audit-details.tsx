import { CopyCode } from '../../../ui/copy-code.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { asFull } from '../../../ui/moments.ts'
import css from './audit.module.css'
import type { AuditEvent } from './audit-entry.tsx'

export const AuditDetails = ({ of: event }: { of: AuditEvent }) => (
  <div className={css.details}>
    <Facts
      of={[
        ['When', asFull(event.at)],
        ['Event', event.action],
        ['Address', event.ip],
        ['With key', event.api_key_id && <CopyCode key="key" value={event.api_key_id} what="key id" whole />],
        ['About', event.target_name],
        [
          event.target_name ? 'Its id' : 'About',
          event.target_id && <CopyCode key="target" value={event.target_id} what="id" whole />,
        ],
        ...Object.entries(event.data).map(([name, value]): [string, string] => [
          name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' '),
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
        ['Request', <CopyCode key="request" value={event.request_id} what="request id" whole />],
      ]}
    />
  </div>
)
