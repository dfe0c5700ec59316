import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'

type Via = Output<typeof contract.queryAuditLog>['items'][number]['via']

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
