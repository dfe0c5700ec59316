// The headings under which built-in fields are shown on record pages, until a company chooses others.

const groups: Record<string, Record<string, string[]>> = {
  people: {
    Contact: ['emails', 'phones', 'organization', 'job_title', 'linkedin'],
    Sales: ['status', 'score', 'tags', 'source', 'do_not_contact', 'consent'],
    About: ['city', 'country', 'birthday', 'notes_text'],
  },
  organizations: {
    Company: ['domains', 'website', 'industry', 'size', 'annual_revenue', 'parent', 'tags'],
    Contact: ['phone', 'address', 'city', 'country'],
  },
  deals: {
    Deal: ['pipeline', 'stage', 'stage_entered_at', 'status', 'amount', 'probability', 'expected_close'],
    Contacts: ['organization', 'people'],
    Outcome: ['closed_at', 'lost_reason'],
    More: ['tags', 'source'],
  },
  leads: {
    Contact: ['email', 'phone', 'company_name', 'message'],
    Sales: ['status', 'score', 'tags', 'first_response_at', 'response_due_at', 'response_minutes'],
    Source: [
      'source',
      'campaign',
      'page',
      'referrer',
      'consent',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_term',
      'utm_content',
    ],
    Sending: ['sending', 'delivered_to', 'delivered_at', 'revenue'],
    Conversion: ['converted_person', 'converted_organization', 'converted_deal'],
  },
}

/** By the keys that a built-in object and field have in the documentation. Empty: no heading. */
export const defaultGroup = (object: string | null, field: string | null) =>
  Object.entries((object && groups[object]) || {}).find(([, keys]) => field && keys.includes(field))?.[0] ?? ''
