import { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyCode } from '../../ui/copy-code.tsx'
import { RowOf } from '../../ui/rows.tsx'
import css from './activity.module.css'

export type Entry = Output<typeof contract.listMyRequests>['items'][number]

const doorNames: Record<Entry['via'], string> = {
  web: 'Web app',
  rest: 'REST API',
  mcp: 'MCP',
  import: 'Import',
  lead_form: 'Lead form',
  inbox: 'Inbox',
  automation: 'Automation',
  public: 'Link',
}
const summaries: Record<string, { summary: string }> = contract
const inWords = (operation: string | null) => (operation ? summaries[operation]?.summary : undefined)

export const RequestRow = ({ of: entry }: { of: Entry }) => (
  <RowOf
    title={
      <>
        {inWords(entry.operation) ?? `${entry.method} ${entry.route}`}
        {entry.status >= 400 && (
          <Badge tone="warn">
            {entry.status} {entry.status < 500 ? 'Refused' : 'Failed'}
          </Badge>
        )}
      </>
    }
    note={
      <>
        <Ago at={entry.at} /> · {by(entry)} · {Math.round(entry.duration_ms)} ms
      </>
    }
  >
    <span className={css.id}>
      <CopyCode value={entry.request_id} what="request id" />
    </span>
  </RowOf>
)

/** A browser is the web app itself; a program is named as it calls itself. */
const by = ({ via, client }: Pick<Entry, 'via' | 'client'>) =>
  via === 'web' || !client ? doorNames[via] : `${doorNames[via]}, ${client}`
