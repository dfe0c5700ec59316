// What the tests of boards share.
import type { Page } from 'playwright-core'
import { testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'

export const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) })
export const card = (page: Page, name: string) => page.getByRole('article', { name })
const dollars = (amount: number) => ({ amount: String(amount), currency: 'USD' })

export async function testBoard() {
  const web = await testWeb({ own: true })
  const { kith, ada } = web
  await testWorker(kith)

  async function board() {
    const made = await ada()
    const { records } = await made.api.createRecords({
      object: 'deals',
      records: [
        { name: 'Acme', stage: 'qualified', amount: dollars(1000) },
        { name: 'Borealis', stage: 'qualified', amount: dollars(2500) },
        { name: 'Cobalt', stage: 'proposal', amount: dollars(4000) },
        { name: 'Dune', stage: 'negotiation' },
      ],
    })
    const idOf = new Map(records.map(({ id, title }) => [title, id]))
    const stageOf = async (name: string) => (await made.api.getRecord({ object: 'deals', id: idOf.get(name)! })).stage
    return { ...made, stageOf, idOf: (name: string) => idOf.get(name)! }
  }
  return { ...web, board }
}
