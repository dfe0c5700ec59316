// Which statements a test's app sends to its database.
import type { Pool } from '../server/platform/db.ts'

export type Sent = { text: string; values: unknown[] }
type Client = { query: (...args: unknown[]) => unknown }

/** Reports every statement that is sent from now on, on any connection. */
export function onStatement(pool: Pool, tell: (sent: Sent) => void) {
  const heard = new WeakSet<Client>()
  pool.on('acquire', (acquired) => {
    const client = acquired as unknown as Client
    if (heard.has(client)) return
    heard.add(client)
    const query = client.query.bind(client)
    client.query = (...args) => {
      const sent = sentBy(args)
      if (sent) tell(sent)
      return query(...args)
    }
  })
}

/** pg takes a text with or without values, or an object with both. */
export function sentBy([first, second]: unknown[]): Sent | undefined {
  const { text, values = second } = typeof first === 'string' ? { text: first } : (first as Partial<Sent>)
  return typeof text === 'string' ? { text, values: Array.isArray(values) ? values : [] } : undefined
}

export function statementsOf(pool: Pool) {
  const sent: Sent[] = []
  onStatement(pool, (statement) => {
    if (statement.values.length) sent.push(statement)
  })
  return {
    during: async (act: () => Promise<unknown>) => {
      const before = sent.length
      await act()
      return sent.slice(before)
    },
  }
}
