// Another site with a form on its page, as its visitors see it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import { testWeb } from '../browser.ts'
import { soon, testWorker } from '../worker.ts'

export async function testWebsiteForm() {
  const web = await testWeb({ own: true })
  const { kith, ada, origin: home } = web
  await testWorker(kith)

  /** A plain page of another origin, under a policy that allows our host and nothing else. */
  let body = ''
  let form = ''
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    const policy = `script-src ${home}; connect-src ${home}; style-src 'none'; form-action ${form}`
    response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1>${body}</main></html>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => void server.close())
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** `action`: where forms of the page itself may send to. */
  const show = (html: string, action = 'https:') => {
    body = html
    form = action
  }

  /** People take longer than three seconds; the clock of the test does it for them. */
  const wait = () => {
    kith.time.now = new Date(kith.time.now.getTime() + 10_000)
  }

  async function newSource(given: object = {}) {
    const { api } = await ada()
    const source = await api.createLeadSource({
      name: 'Contact',
      title: 'Contact us',
      allowed_origins: [site],
      ...given,
    })
    const here = (text: string) => text.replaceAll(kith.services.baseUrl.origin, home)
    const leads = () =>
      soon(async () => {
        const { records } = await api.listRecords({ object: 'leads' })
        expect(records).toHaveLength(1)
        return records[0]!
      })
    const { script, html, iframe } = source.embed
    return { api, source, embed: { script: here(script), html: here(html), iframe: here(iframe) }, leads }
  }
  return { ...web, home, site, show, wait, newSource }
}
