// Another site with the chat on its pages, and the inbox on the other end.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import type { Api } from '../app.ts'
import { testWeb } from '../browser.ts'
import { soon, testWorker } from '../worker.ts'

export async function testChat() {
  const web = await testWeb({ own: true })
  const { kith, origin: home } = web
  await testWorker(kith)

  /** Plain pages of another origin, under a policy that allows our host and nothing else. */
  let body = ''
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    const policy = `default-src 'none'; script-src ${home}; connect-src ${home}`
    response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1><p><a href="/next">Next</a></p></main>${body}</html>`,
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => void server.close())

  const embed = (snippet: string) => {
    body = snippet.replaceAll(kith.services.baseUrl.origin, home)
  }
  return { ...web, home, site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, embed }
}

export const onlyConversation = (api: Api) =>
  soon(async () => {
    const { items } = await api.listConversations({})
    expect(items).toHaveLength(1)
    return items[0]!
  })
