/** The events that can start a workflow. A test compares them with Kith's contract. */
export const eventTypes = {
  'deal.lost': 'Deal Lost',
  'deal.stage_changed': 'Deal Stage Changed',
  'deal.won': 'Deal Won',
  'lead.assigned': 'Lead Assigned',
  'lead.converted': 'Lead Converted',
  'lead.submitted': 'Lead Submitted',
  'record.created': 'Record Created',
  'record.deleted': 'Record Deleted',
  'record.restored': 'Record Restored',
  'record.updated': 'Record Updated',
} as const
