// Which statements a test's app sends to its database.
import type { Pool } from '../server/platform/db.ts'

export type Sent = { text: string; values: unknown[] }
type Client = { query: (...args: unknown[]) => unknown }

/** All that are sent from now on, by whichever connection. */
export function statementsOf(pool: Pool) {
  const sent: Sent[] = []
  const heard = new WeakSet<Client>()
  pool.on('acquire', (acquired) => {
    const client = acquired as unknown as Client
    if (heard.has(client)) return
    heard.add(client)
    const query = client.query.bind(client)
    client.query = (text, values, ...rest) => {
      if (typeof text === 'string' && Array.isArray(values)) sent.push({ text, values })
      return query(text, values, ...rest)
    }
  })
  return {
    during: async (act: () => Promise<unknown>) => {
      const before = sent.length
      await act()
      return sent.slice(before)
    },
  }
}
