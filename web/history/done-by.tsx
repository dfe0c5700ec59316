import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { ClientName } from '../keys/key-cells.tsx'
import type { ChangeSet } from './change-sets.ts'
import css from './done-by.module.css'

/** Via which interface, and with which key and client if it was not the web app. */
export const DoneBy = ({ of: { via, api_key_id, api_key_name, client } }: { of: ChangeSet }) => (
  <span className={css.by}>
    <span>{nameOfDoor(via)}</span>
    {api_key_id && (
      <>
        <span>
          key <bdi className={css.key}>{api_key_name ?? '(deleted)'}</bdi>
        </span>
        <ClientName of={client} />
      </>
    )}
  </span>
)

type Via = Output<typeof contract.listAuditEvents>['items'][number]['via']

const names: Record<Via, string> = {
  web: 'Web app',
  rest: 'REST',
  mcp: 'MCP',
  import: 'Import',
  lead_form: 'Lead form',
  inbox: 'Inbox',
  automation: 'Automation',
  public: 'Link',
}

export const nameOfDoor = (via: Via) => names[via]
