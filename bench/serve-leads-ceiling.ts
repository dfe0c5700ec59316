// Bare node:http and pg: the same row for each form that is sent: [connection as JSON, company, source]
import { randomUUIDv7 } from 'node:crypto'
import { createServer } from 'node:http'
import { createPool } from '../server/platform/db.ts'
import { listening } from './serve.ts'

const [connection, company_id, source_id] = process.argv.slice(2) as [string, string, string]
const pool = createPool(JSON.parse(connection), { max: 10 })
const insert = `insert into lead_submissions (company_id, id, source_id, token_id, received_at, state, email, name, via, body,
    page, first_utm, last_utm, ip, user_agent, spam_score, spam_reasons)
  values ($1, $2, $3, $4, $5, 'received', $6, $7, 'script', $8, $9, '{}', '{}', $10, $11, 0, '[]')`

const server = createServer(async (request, response) => {
  const body = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
  const values = Object.fromEntries(body)
  const { email = null, first_name = null, kith_page = null } = values
  const ids = [company_id, randomUUIDv7(), source_id, randomUUIDv7()]
  const sent = [email, first_name, JSON.stringify({ values }), kith_page]
  const by = [request.socket.remoteAddress, request.headers['user-agent'] ?? null]
  await pool.query({ name: 'insert', text: insert, values: [...ids, new Date(), ...sent, ...by] })
  const answer = { state: 'accepted', challenge: null, token: null, thank_you: 'Thank you.', redirect_url: null }
  response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
