import type { AuditEvent } from './audit-entry.tsx'

const names: Record<AuditEvent['via'], string> = {
  web: 'Web app',
  rest: 'REST',
  mcp: 'MCP',
  import: 'Import',
  lead_form: 'Lead form',
  inbox: 'Inbox',
  automation: 'Automation',
  public: 'Link',
}

export const nameOfDoor = (via: AuditEvent['via']) => names[via]
