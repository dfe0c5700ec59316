// A second pipeline with required fields and stuck limits, deals that move through it, and line items.
import type { At, Team } from './story.ts'

export async function sell(at: At, { ada, grace }: Team) {
  await at('2026-04-30T09:00:00Z')
  await ada.patch('/stages/negotiation', { probability: 60, stuck_after_days: 3 })
  await ada.post('/pipelines', { name: 'Renewals', stages: renewalStages })
  await ada.post('/pipelines/renewals/stages', { name: 'On hold', position: 1 })
  await ada.patch('/stages/on_hold', { is_archived: true })

  const [service, insurance, storage] = await grace.create(
    'deals',
    { name: 'Service contract', pipeline: 'renewals', amount: '480', expected_close: 'tomorrow' },
    { name: 'Insurance', pipeline: 'renewals' },
    { name: 'Storage', amount: { amount: '120', currency: 'EUR' } },
  )
  await at('2026-05-01T09:00:00Z')
  await grace.post('/deals/move', { ids: [service], stage: 'Offered' })
  await grace.post('/deals/move', { ids: [storage], stage: 'negotiation' })
  await grace.post('/deals/move', { ids: [insurance], stage: 'cancelled', values: { lost_reason: 'timing' } })
  await at('2026-05-01T15:00:00Z')
  const wrong = await grace.post('/deals/move', { ids: [service], stage: 'renewed' })
  await grace.post('/changes/undo', { change_set_ids: [wrong.change_set_id] })
  await grace.post(`/records/deals/${storage}/place`, { above: service })

  const [hull, varnish] = await ada.create(
    'products',
    { name: 'Hull check', sku: 'H-1', price: { amount: '60', currency: 'EUR' } },
    { name: 'Varnish', sku: 'V-1', price: { amount: '24.90', currency: 'EUR' } },
  )
  await ada.create(
    'deal_lines',
    { deal: service, product: hull, quantity: 4, discount: 10 },
    { deal: service, product: varnish, quantity: 2.5, unit_price: { amount: '19.90', currency: 'EUR' } },
  )
}

const renewalStages = [
  { name: 'Due', color: 'blue', probability: 70, stuck_after_days: 30 },
  { name: 'Offered', color: 'violet', probability: 85, required_fields: ['amount', 'expected_close'] },
  { name: 'Renewed', color: 'green', kind: 'won' },
  { name: 'Cancelled', color: 'gray', kind: 'lost' },
]
