// Leads that are passed on to partners: accepted, rejected, returned, and too many for a cap.
import { leadNamed } from './leads.ts'
import type { At, Story, Team } from './story.ts'

export async function sendLeads({ partners, work }: Story, at: At, { ada, ids }: Team) {
  await at('2026-05-07T08:00:00Z')
  const buyer = await ada.post('/lead-destinations', {
    name: 'Boat buyer',
    returns: { days: 14, most_percent: 100 },
    http: {
      url: `${partners}/buyer?source={{ source }}`,
      body: '{"mail": "{{ email }}", "name": "{{ title }}"}',
      rules: [{ path: 'result', equals: 'accepted', result: 'accepted' }],
      price_path: 'price',
      is_idempotent: true,
    },
    headers: { 'x-partner': 'acme' },
    authentication: { type: 'bearer', token: 'a token of the buyer' },
  })
  const picky = await ada.post('/lead-destinations', {
    name: 'Picky buyer',
    http: { url: `${partners}/picky`, reason_path: 'reason' },
  })
  const team = await ada.post('/lead-destinations', { name: 'Our team', members: { user_ids: [ids.grace, ids.ada] } })
  await ada.post('/lead-destinations', { name: 'By email', email: { to: ['leads@partner.example'], attach_csv: true } })
  const other = await ada.post('/lead-destinations', {
    name: 'Sister company',
    kith: {
      url: 'https://kith.sister.example',
      source_id: '019e0000-0000-7000-8000-000000000002',
      values: { email: '{{ email }}' },
    },
    api_key: 'kith_a_key_of_the_sister_company',
  })
  await ada.post('/lead-routes', {
    name: 'Sell boats',
    state: 'active',
    filter: 'company_name is not empty',
    targets: [
      { destination_id: picky.id, price: 50 },
      { destination_id: buyer.id, price: 30, max_price: 40, caps: { day: 2, budget: 500, budget_per: 'month' } },
    ],
    notify_user_ids: [ids.ada],
  })
  const turns = await ada.post('/lead-routes', {
    name: 'Take turns',
    state: 'active',
    mode: 'in_turn',
    targets: [{ destination_id: team.id }],
    schedule: { days: ['monday', 'thursday'], from: '08:00', to: '20:00', time_zone: 'Europe/Berlin', closed: 'wait' },
  })
  const trial = await ada.post('/lead-routes', {
    name: 'Trial',
    state: 'test',
    targets: [{ destination_id: other.id }],
  })
  const { items } = await ada.get('/lead-routes')
  const routes = items as { id: string }[]
  const sell = routes.find(({ id }) => id !== turns.id && id !== trial.id)!
  await ada.put('/lead-routes/order', { ids: [trial.id, sell.id, turns.id] })
  await ada.patch('/settings/lead-sending', { nobody_user_ids: [ids.ada], nobody_owner_id: ids.ada })

  for (const [minute, name] of [
    ['10', 'Arne'],
    ['20', 'Britta'],
    ['30', 'Cem'],
  ]) {
    await at(`2026-05-07T08:${minute}:00Z`)
    const email = `${name!.toLowerCase()}@buyers.example`
    await ada.create('leads', { first_name: name, last_name: 'Buyer', email, company_name: `${name} GmbH` })
    await work()
  }
  await at('2026-05-08T07:00:00Z')
  await ada.create('leads', { first_name: 'Deniz', last_name: 'Waits', email: 'deniz@buyers.example' })
  await work()
  const arne = await leadNamed(ada, 'Arne')
  const { items: sent } = await ada.get(`/lead-deliveries?lead_id=${arne}&state=accepted`)
  const [delivery] = sent as { id: string }[]
  const returned = await ada.post(`/lead-deliveries/${delivery!.id}/return`, {
    reason: 'bad_contact',
    text: 'No answer',
  })
  await ada.post(`/lead-returns/${returned.id}/decision`, { state: 'accepted' })
  const britta = await leadNamed(ada, 'Britta')
  const { items: second } = await ada.get(`/lead-deliveries?lead_id=${britta}&state=accepted`)
  await ada.post(`/lead-deliveries/${(second as { id: string }[])[0]!.id}/return`, { reason: 'wrong_area' })
}
