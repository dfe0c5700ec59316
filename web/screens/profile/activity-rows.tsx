import { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyCode } from '../../ui/copy-code.tsx'
import { RowOf } from '../../ui/rows.tsx'
import css from './activity.module.css'

type ChangeSet = Output<typeof contract.listChanges>['items'][number]
type Change = ChangeSet['changes'][number]
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

type Props = { of: ChangeSet; otherUser: (id: string) => string | undefined }

export const ChangeRow = ({ of: set, otherUser }: Props) => (
  <RowOf
    title={inWords(set.operation) ?? set.operation}
    note={
      <>
        {set.changes.map((change) => (
          <Fields
            key={`${change.object} ${change.record_id}`}
            of={change}
            whose={change.object === 'users' ? otherUser(change.record_id) : undefined}
          />
        ))}
        <Ago at={set.at} /> · {by(set)}
      </>
    }
  />
)

const Fields = ({ of: { object, action, fields }, whose }: { of: Change; whose?: string }) => (
  <ul className={css.fields} aria-label={`${object.replaceAll('_', ' ')} ${action}`}>
    {whose && <li>{whose}</li>}
    {Object.entries(fields).map(([field, { from, to }]) => (
      <li key={field}>
        {field.replaceAll('_', ' ')}: {isEmpty(from) || <Before>{asText(from)}</Before>}
        <ins>{asText(to)}</ins>
      </li>
    ))}
  </ul>
)

const Before = ({ children }: { children: string }) => (
  <>
    <del>{children}</del> <span aria-hidden="true">→</span>{' '}
  </>
)

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

function asText(value: unknown) {
  if (isEmpty(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

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
