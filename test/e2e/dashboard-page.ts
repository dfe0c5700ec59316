// What the tests of dashboards share.
import type { Api } from '../app.ts'

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
export const create = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records

export const picture = async (page: { screenshot: (options: object) => Promise<unknown> }, name: string) => {
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/dashboard-${name}.png`, fullPage: true })
}

export async function someWork(api: Api) {
  const amount = { amount: '1000', currency: 'EUR' }
  await create(
    api,
    'deals',
    { name: 'Acme renewal', amount, stage: 'proposal', expected_close: inDays(-40).slice(0, 10) },
    { name: 'Globex pilot', amount, stage: 'proposal', expected_close: inDays(20).slice(0, 10) },
    { name: 'Initech rollout', amount, stage: 'won' },
  )
  await create(api, 'tasks', { title: 'Send the offer', due_at: inDays(-3) })
}
