// A gateway between Kith and this terminal, in plain Node (20 or newer) without packages. What you type is a message of
// a customer in Kith; what your team answers there is printed here. Replace the terminal by your network.
//
//   KITH_SECRET=whsec_… KITH_POST=https://…/messages KITH_FETCH=https://…/outgoing node gateway.mjs
//
// With PORT=8090 it listens for Kith's webhook instead of fetching: enter its address in the channel.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const { KITH_SECRET, KITH_POST, KITH_FETCH, PORT, GUEST = 'terminal' } = process.env
const wanted = { KITH_SECRET, KITH_POST, ...(PORT ? {} : { KITH_FETCH }) }
const missing = Object.keys(wanted).filter((name) => !wanted[name])
if (missing.length) {
  console.error(`Set ${missing.join(' and ')}. Kith shows the secret when you add an API channel (Company, Channels),`)
  console.error('and the addresses to post to and to fetch from on the page of the channel.')
  process.exit(1)
}
const key = Buffer.from(KITH_SECRET.slice('whsec_'.length), 'base64')
const signatureOf = (id, timestamp, body) =>
  createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Signs and sends. Repeats it with the same ID until Kith has it: the second time has no effect. */
async function call(address, content, id = randomUUID()) {
  const body = JSON.stringify(content)
  for (let wait = 1; ; wait = Math.min(wait * 2, 60)) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signatureOf(id, timestamp, body)}`,
    }
    try {
      const response = await fetch(address, { method: 'POST', headers, body })
      const answer = await response.json()
      if (response.ok) return answer
      // Other errors do not go away by themselves.
      if (response.status !== 429 && response.status < 500) throw new Error(`Kith refused it: ${answer.detail}`)
      wait = Number(response.headers.get('retry-after')) || wait
    } catch (error) {
      if (error.message.startsWith('Kith refused')) throw error
    }
    await pause(wait * 1000)
  }
}

// 1. From the network to Kith: a message with an ID that never changes, in a chat that never changes.
const post = (items) => call(KITH_POST, { items })
createInterface({ input: process.stdin }).on('line', (text) => {
  if (!text.trim()) return
  const message = { kind: 'message', id: randomUUID(), thread: GUEST, from: { address: GUEST, name: GUEST }, text }
  post([message])
    .then(({ items }) => console.log(`Stored in conversation ${items[0].conversation_id}.`))
    .catch((error) => console.error(error.message))
})

// 2. From Kith to the network. A real gateway keeps these IDs in a file or a database, so that a restart forgets none.
const done = new Set()
function deliver(id, message) {
  if (done.has(id)) return
  done.add(id)
  console.log(`> ${message.text}`)
}

/** Fetching: waits up to 25 seconds for a message, and acknowledges each with its state. */
async function follow() {
  for (;;) {
    const { items } = await call(KITH_FETCH, { limit: 20, wait_seconds: 25 })
    for (const message of items) {
      deliver(message.id, message)
      await post([{ kind: 'state', message_id: message.id, state: 'delivered' }])
    }
  }
}

/** Webhook: verifies that it comes from Kith, delivers it, and answers with what became of it. */
function listen() {
  const server = createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    const id = String(request.headers['webhook-id'])
    const timestamp = String(request.headers['webhook-timestamp'])
    const wanted = Buffer.from(signatureOf(id, timestamp, body))
    const given = String(request.headers['webhook-signature'])
      .split(' ')
      .map((one) => Buffer.from(one.replace('v1,', '')))
    const isSigned = given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
    const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300
    if (!isSigned || !isRecent) return response.writeHead(401).end()
    const message = JSON.parse(body)
    if (message.type === 'message') deliver(id, message)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(message.type === 'message' ? { state: 'delivered' } : {}))
  })
  server.listen(Number(PORT), () => console.log(`Listening for Kith on port ${PORT}.`))
}

console.log('Type a message and press Enter.')
if (PORT) listen()
else
  follow().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
