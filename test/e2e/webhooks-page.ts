// What the tests of webhooks share.
import type { Page } from 'playwright-core'
import { testWeb } from '../browser.ts'
import { testReceiver } from '../receiver.ts'
import { testWorker } from '../worker.ts'

export const log = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')

export async function testWebhooks() {
  const web = await testWeb({ own: true })
  const { kith } = web
  await testWorker(kith)
  const receiver = await testReceiver()
  const statuses: Record<string, number> = {}
  receiver.answer = ({ path }, response) => {
    const status = statuses[path]!
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status < 300 ? '{"ok":true}' : '{"error":"The database is down"}')
  }

  /** A program at the other end, with a status to answer that can be changed. */
  function program(path: string, status: number) {
    const answer = (next: number) => {
      statuses[path] = next
    }
    answer(status)
    return { url: receiver.url + path, received: () => receiver.at(path), answer }
  }
  return { ...web, program }
}
