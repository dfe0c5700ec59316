// The other side of the company's webhooks, lead destinations and API channel: a server that answers by path. And a mail
// server that accepts everything.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'

const answers: Record<string, { status: number; body?: object }> = {
  '/orders': { status: 200, body: { ok: true } },
  '/broken': { status: 500, body: { error: 'Out of order' } },
  '/buyer': { status: 200, body: { result: 'accepted', price: 35 } },
  '/picky': { status: 422, body: { reason: 'Outside our area' } },
  '/gateway': { status: 200, body: {} },
}

export async function startPartners(port: number, mailPort: number) {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { status, body } = answers[request.url!.split('?')[0]!] ?? { status: 404 }
    response.sendDate = false
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const mail = new SMTPServer({
    logger: false,
    closeTimeout: 200,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username! }),
    onData: (stream, _session, done) => void stream.resume().once('end', () => done()),
  })
  await new Promise<void>((resolve) => mail.listen(mailPort, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
      mail.close()
    },
  }
}
