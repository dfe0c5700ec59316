// The changes of the team to its records, week by week, including mistakes, some of which were undone.
import type { At, Team } from './story.ts'

export async function workOnRecords(at: At, { ada, grace, script, scout, ids }: Team, types: string[]) {
  const organizations = await script.create('organizations', ...organizationsFor(types))
  const [north, south, west] = organizations as [string, string, string]
  const [maria, lukasz, oere, noah, zoe] = await script.create('people', ...people(north, south))
  const deals = await grace.create('deals', ...dealsOf(north, south, [maria!, lukasz!]))
  const [boat, oar] = await ada.create(
    'products',
    { name: 'Boat', sku: 'B-1', price: { amount: '1200.50', currency: 'EUR' } },
    { name: 'Oar', sku: 'O-1', price: { amount: '80', currency: 'USD' } },
  )
  await ada.create('deal_lines', { deal: deals[0], product: boat, quantity: 2 }, { deal: deals[0], product: oar })
  await ada.create('leads', { first_name: 'Lea', last_name: 'Lead', email: 'lea@example.org', phone: '030 1234567' })
  const projects = await ada.create('projects', ...projectsFor(types, ids.grace!, [north, south]))
  await ada.create('past_events', { name: 'Opening' })
  await ada.patch('/objects/past_events', { is_archived: true })

  await at('2026-03-16T13:00:00Z')
  await grace.create('activities', { kind: 'call', at: '2026-03-16T12:30:00Z', outcome: 'Interested', about: [maria] })
  await grace.create('notes', {
    body: '# Call\n\n- wants a *discount*\n- path C:\\boats\tand a tab',
    about: [maria, deals[0]],
  })
  const [task] = await grace.create('tasks', { title: 'Send offer', due_at: '2026-03-20T09:00:00Z', about: [deals[0]] })
  await grace.create('tasks', { title: 'Call again', assignee: ids.linus, priority: 'high', about: [lukasz] })

  await at('2026-03-23T08:30:00Z')
  await grace.update('tasks', { id: task!, values: { status: 'done' } })
  await grace.update('deals', { id: deals[0]!, values: { stage: 'won' } })
  await ada.update('people', { id: oere!, values: { owner: ids.linus, projects } })
  await ada.patch('/objects/projects/fields/old_text', { is_archived: true })

  await at('2026-04-13T08:00:00Z')
  await ada.post('/records/people/deletion', { ids: [noah] })
  await ada.post('/records/organizations/deletion', { ids: [west] })
  const [gone] = await ada.create('people', { last_name: 'Forgotten' })
  await ada.post('/records/people/deletion', { ids: [gone] })
  await ada.post('/records/people/purge', { ids: [gone] })
  const [back] = await ada.create('people', { last_name: 'Restored' })
  await ada.post('/records/people/deletion', { ids: [back] })
  await ada.post('/records/people/restoration', { ids: [back] })

  await at('2026-04-27T10:00:00Z')
  const wrong = await scout.update('people', { id: maria!, values: { job_title: 'Captain' } })
  await ada.post('/changes/undo', { change_set_ids: [wrong.change_set_id] })
  await at('2026-04-28T10:00:00Z')
  await scout.create('activities', { kind: 'email', at: '2026-04-28T09:00:00Z', about: [zoe], body: 'Newsletter' })
  await scout.update(
    'people',
    { id: maria!, values: { status: 'former', do_not_contact: true, tags: [] } },
    { id: lukasz!, values: { status: 'former', emails: [] } },
  )
  await at('2026-04-29T10:00:00Z')
  await scout.update('organizations', { id: north, values: { country: 'Austria', size: 1, parent: south } })
  await scout.post('/records/people/upsert', {
    match_on: 'emails',
    records: [{ emails: ['zoe@example.com'], score: 75 }],
  })
}

function organizationsFor(types: string[]) {
  // Countries were plain text in version 0.1, so they can contain anything.
  const anywhere = types.includes('country') ? null : 'Atlantis'
  return [
    { name: 'Nordwerft', domains: ['nordwerft.example'], country: 'Germany', phone: '+49 40 123456', size: 40 },
    {
      name: 'Südbau AG',
      domains: ['suedbau.example'],
      country: 'CH',
      annual_revenue: { amount: '2500000', currency: 'CHF' },
    },
    { name: 'West Ltd', domains: ['west.example'], country: anywhere, tags: ['vip'] },
    { name: 'Øst & Søn', country: anywhere, address: 'Havnegade 1\n1058 København', website: 'https://ost.example' },
    { name: 'Čapek', country: 'Österreich', industry: 'Books' },
  ]
}

const people = (north: string, south: string) => [
  {
    first_name: 'Maria',
    last_name: 'Müller',
    emails: ['maria@example.com', 'mm@example.com'],
    phones: ['+49 170 1234567'],
    organization: north,
    status: 'active',
    score: 80,
    job_title: 'Head of "Sales"',
    country: 'Germany',
    birthday: '1984-02-29',
  },
  { first_name: 'Łukasz', last_name: 'Żak', emails: ['lukasz@example.com'], organization: north, status: 'customer' },
  {
    first_name: 'Søren',
    last_name: 'Øre',
    organization: south,
    nickname: 'Sørensen 🚣',
    linkedin: 'https://linkedin.example/oere',
  },
  { first_name: 'Noah', last_name: 'Trash', emails: ['noah@example.com'], organization: south },
  { first_name: 'Zoé', last_name: '李', emails: ['zoe@example.com'], score: -1.5, consent: true, notes_text: 'a\\b' },
]

const dealsOf = (north: string, south: string, people: string[]) => [
  {
    name: 'Fleet renewal',
    amount: { amount: '48000', currency: 'EUR' },
    organization: north,
    people,
    expected_close: '2026-06-30',
  },
  { name: 'Pilot', amount: { amount: '900.99', currency: 'USD' }, organization: south, stage: 'proposal' },
  { name: 'Archive', stage: 'lost', lost_reason: 'Price', organization: south },
]

function projectsFor(types: string[], user: string, organizations: string[]) {
  const samples: Record<string, unknown> = {
    text: 'Straße',
    long_text: 'First line\nsecond\tline \\ end',
    number: 12.75,
    money: { amount: '99.90', currency: 'USD' },
    boolean: true,
    date: '2026-02-28',
    datetime: '2026-03-29T00:30:00Z',
    select: 'gold',
    multi_select: ['silver', 'gold'],
    email: 'Project@Example.com',
    phone: '+43 1 5850',
    url: 'https://project.example/?a=1&b=ü',
    country: 'Japan',
    user,
    relation: organizations[0],
  }
  const missing = types.filter((type) => !(type in samples))
  if (missing.length) throw new Error(`Add a sample of ${missing.join(', ')} to scripts/release/records.ts`)
  const full = Object.fromEntries(types.map((type) => [`a_${type}`, samples[type]]))
  const several = {
    some_text: ['b', 'a'],
    some_email: ['b@example.com', 'a@example.com'],
    some_phone: ['+43 1 5850', '+41 44 6681800'],
    some_url: ['https://b.example', 'https://a.example'],
    some_relation: organizations.toReversed(),
  }
  return [
    { name: 'Every type', code: 'P-1', old_text: 'kept though archived', ...full, ...several },
    { name: 'Nothing but a name', code: 'P-2' },
  ]
}
