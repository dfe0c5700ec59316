// Texts of a sales team. {org} and {person} are placeholders for names.
export const filled = (text: string, names: { org: string; person: string }) =>
  text.replaceAll('{org}', names.org).replaceAll('{person}', names.person)

/** What a deal is about, and the product that is sold. */
export const offers = [
  { name: 'Annual license', product: 'Annual license' },
  { name: 'Pilot for one team', product: 'Pilot' },
  { name: 'Support contract', product: 'Support' },
  { name: 'Renewal', product: 'Annual license' },
  { name: 'Onboarding package', product: 'Onboarding' },
  { name: 'Second site', product: 'Annual license' },
] as const

export const products = [
  { name: 'Annual license', sku: 'LIC-1Y', price: 450 },
  { name: 'Pilot', sku: 'PILOT', price: 2500 },
  { name: 'Support', sku: 'SUP-1Y', price: 1200 },
  { name: 'Onboarding', sku: 'ONB-DAY', price: 1500 },
] as const

export const tags = ['vip', 'partner', 'newsletter']
export const lostReasons = ['Price', 'Competitor', 'No budget', 'Timing', 'No decision']
/** Options of deals; leads have texts. */
export const sources = ['Website', 'Event', 'Referral', 'Advertising', 'Partner', 'Outreach']

export const tasks = [
  'Call {person} about the open questions',
  'Send the offer to {org}',
  'Book a demo with {person}',
  'Ask {org} for the signed contract',
  'Check the delivery address of {org}',
  'Write a summary of the meeting for {person}',
  'Prepare the workshop at {org}',
  'Find out who decides at {org}',
  'Send references to {person}',
  'Remind {person} of the unpaid invoice',
]

export const notes = [
  '## Call with {person}\n\n- Team of 12, still works in **spreadsheets**\n- Decision in two weeks\n- Wants a price for 3 years',
  '{person} does *not* sign contracts. The managing director of {org} does; ask for an introduction.',
  '## What {org} needs\n\n1. Import of their old customer list\n2. Roles for two offices\n3. A contract in their language',
  '**Renewal**: {org} is happy, but asks for a discount. Last year it was 8%.',
  'Met {person} at the fair. Prefers email, replies in the evening.\n\n> Send me something I can show my boss.',
  '## Risks at {org}\n\n- New head of purchasing since spring\n- Already works with a competitor\n- [ ] Talk to IT before the offer',
  '{org} moves offices next month. **No visits** until then, calls are fine.',
  '## Demo for {org}\n\n| Topic | Reaction |\n|---|---|\n| Search | liked it |\n| Reports | want more |\n| Price | no comment |',
  '{person} recommended us to a partner company. Say thank you and ask for a quote for our website.',
  'Invoices of {org} go to `accounting`, not to {person}. Payment takes about 30 days.',
]

type Happening = { kind: string; duration?: number; outcome: string; body?: string }
export const happenings: readonly Happening[] = [
  { kind: 'call', duration: 15, outcome: '{person} wants a demo', body: 'With their own data, if possible.' },
  { kind: 'call', duration: 4, outcome: '{person} did not answer' },
  {
    kind: 'meeting',
    duration: 60,
    outcome: '{org} asks for an offer',
    body: 'Three people were there, all in favor.',
  },
  { kind: 'email', outcome: 'Sent {person} the data sheet', body: 'With two references.' },
  {
    kind: 'visit',
    duration: 120,
    outcome: 'Good conversation at {org}',
    body: 'Saw the site. They are growing faster than planned.',
  },
  { kind: 'meeting', duration: 45, outcome: '{org} agrees to the terms', body: 'Only the start date is open.' },
  { kind: 'call', duration: 25, outcome: 'Call {person} again next week', body: 'Waiting for budget approval.' },
  { kind: 'email', outcome: 'Asked {person} for the number of users', body: 'No answer yet.' },
  { kind: 'other', outcome: 'Met {person} at a fair' },
]

export const enquiries = [
  'We are a team of twelve and need something better than a spreadsheet. What does it cost?',
  'Can we import 4,000 contacts? And is there a trial?',
  'Please call me, I would like to see a demo this week.',
  'Do you work with partners in our country?',
  'We saw you at the fair. Please send your prices for 40 users.',
]

export const findings = [
  '## {org} at a glance\n\n- Opens a second site this year, according to its news page\n- Is hiring **three salespeople**\n\nGood time to talk about growth.',
  '{org} has had a new managing director since last month. Our contact may have changed.',
  '## {org}: what they use\n\n- Their own shop system\n- No CRM that I could find\n\n*From public pages only.*',
  '{person} is speaking at a conference in autumn about their move to the cloud.',
  '## Out of office\n\nNine people sent automatic replies. I marked them as former and set **do not contact**. Someone should check this.',
]
