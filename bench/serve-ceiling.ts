// Bare node:http that checks the key with the same query and returns the given bytes: [connection as JSON, body]
import { createServer } from 'node:http'
import { findActorByKey } from '../server/accounts/api-keys/find-actor.ts'
import { createPool } from '../server/platform/db.ts'
import { listening } from './serve.ts'

const [connection, body] = process.argv.slice(2) as [string, string]
const pool = createPool(JSON.parse(connection))
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
const server = createServer(async (request, response) => {
  const actor = await findActorByKey(pool, String(request.headers['x-api-key']))
  response.writeHead(actor ? 200 : 401, headers).end(body)
})
server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
