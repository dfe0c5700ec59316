// Webhooks whose deliveries arrive, fail or are refused for good.
import type { At, Story, Team } from './story.ts'

export async function connectPrograms({ partners, work }: Story, at: At, { ada, grace }: Team) {
  await at('2026-05-05T08:00:00Z')
  const orders = await ada.post('/webhooks', {
    target_url: `${partners}/orders`,
    description: 'Orders',
    events: ['record.created', 'record.updated'],
    object: 'deals',
    filter: 'amount > 0.1k',
    fields: ['name', 'amount', 'organization'],
    headers: { authorization: 'Bearer a token of the shop' },
    is_ordered: true,
  })
  await ada.post('/webhooks', { target_url: `${partners}/gone`, description: 'Former partner', object: 'products' })
  const paused = await ada.post('/webhooks', { target_url: `${partners}/orders`, description: 'Paused' })
  await ada.post(`/webhooks/${paused.id}/pause`)
  const [deal] = await grace.create('deals', { name: 'Sails', amount: { amount: '300', currency: 'EUR' } })
  await grace.update('deals', { id: deal!, values: { amount: { amount: '320', currency: 'EUR' } } })
  await ada.create('products', { name: 'Sail', sku: 'S-1' })
  await work()
  await ada.post(`/webhooks/${orders.id}/secret`, { overlap_hours: 24 })
  await ada.post(`/webhooks/${orders.id}/replay`, { since: '-2h' })
  await work()
}

/** At the end, so that its deliveries still wait for another attempt. */
export async function connectBrokenProgram({ partners, work }: Story, { ada }: Team) {
  await ada.post('/webhooks', { target_url: `${partners}/broken`, description: 'Broken', object: 'products' })
  await ada.create('products', { name: 'Anchor', sku: 'A-1' })
  await work()
}
