// Cancels the statement that a connection is running, as the protocol provides for: over a connection of its own, with
// the key that the server gave the first one. Works through a pooler too, and on a replica.
import pg from 'pg'

const mostMs = 5000

/** Resolves when the server has been told, or cannot be told; the statement then runs into its time limit. */
export async function cancelStatement(client: pg.ClientBase) {
  const { host, port, ssl, processID, secretKey } = client as Connected
  const line = new pg.Connection({ ssl } as pg.ConnectionConfig) as Line
  const told = Promise.withResolvers<void>()
  const tell = () => line.cancel(processID, secretKey)
  line.on('connect', () => (ssl ? line.requestSsl() : tell()))
  line.on('sslconnect', tell)
  for (const over of ['end', 'error']) line.on(over, () => told.resolve())
  const timer = setTimeout(told.resolve, mostMs)
  if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`)
  else line.connect(port, host)
  await told.promise
  clearTimeout(timer)
  line.stream.destroy()
}

// What pg has but does not describe.
type Connected = pg.ClientBase & {
  host: string
  port: number
  ssl: object | boolean
  processID: number
  secretKey: number | Buffer
}
type Line = pg.Connection & {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number | Buffer): void
  stream: { destroy(): void }
}
