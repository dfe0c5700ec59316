// Every call that the nodes make. Nothing here needs n8n, so that Kith's own tests run it against a real server.

/** The operations of Kith's REST API that the nodes use. A test compares them with Kith's contract. */
export const routes = {
  whoami: 'GET /me',
  describeSchema: 'GET /schema',
  queryRecords: 'POST /records/:object/query',
  getRecord: 'GET /records/:object/:id',
  getRecords: 'POST /records/:object/lookup',
  createRecords: 'POST /records/:object',
  updateRecords: 'PATCH /records/:object',
  upsertRecords: 'POST /records/:object/upsert',
  deleteRecords: 'POST /records/:object/deletion',
  restoreRecords: 'POST /records/:object/restoration',
  aggregateRecords: 'POST /records/:object/aggregation',
  searchRecords: 'GET /search',
  listConversations: 'GET /conversations',
  getConversation: 'GET /conversations/:id',
  updateConversations: 'PATCH /conversations',
  assignConversation: 'POST /conversations/:id/assignment',
  listConversationLabels: 'GET /conversation-labels',
  sendMessage: 'POST /messages',
  listMessageTemplates: 'GET /message-templates',
  listChannels: 'GET /channels',
  listUsers: 'GET /users',
  listWebhooks: 'GET /webhooks',
  getWebhook: 'GET /webhooks/:id',
  createWebhook: 'POST /webhooks',
  deleteWebhook: 'DELETE /webhooks/:id',
  testWebhook: 'POST /webhooks/:id/test',
} as const

export type Operation = keyof typeof routes
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type Input = Record<string, unknown>
export type KithRequest = { method: Method; path: string; query?: Record<string, string>; body?: Input }

/** The request of an operation. Names in the path come from the input; what is undefined is left out. */
export function requestOf(operation: Operation, input: Input = {}): KithRequest {
  const [method, route] = routes[operation].split(' ') as [Method, string]
  const rest: Input = { ...input }
  const path = route.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(input[name]))
  })
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path: `/api/v1${path}`, body: Object.fromEntries(given) }
  return {
    method,
    path: `/api/v1${path}`,
    query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  }
}

export type Page = { records: Input[]; next_cursor: string | null }
export type AskForPage = (input: Input) => Promise<Page>

/** The most records that Kith returns at once. */
export const pageSize = 100

/** Reads page after page until there are no more records, or `most` of them. */
export async function allPages(ask: AskForPage, input: Input, most = Number.POSITIVE_INFINITY): Promise<Input[]> {
  const records: Input[] = []
  let cursor: string | undefined
  do {
    const page = await ask({ ...input, limit: Math.min(pageSize, most - records.length), cursor })
    records.push(...page.records)
    cursor = page.next_cursor ?? undefined
  } while (cursor && records.length < most)
  return records
}

/** How long to wait before a request that was refused with this status is sent again; undefined: do not. */
export function secondsUntilRetry(status: number, retryAfter: unknown, attempt: number): number | undefined {
  const isBusy = status === 429 || status === 503
  if (!isBusy || attempt >= mostAttempts) return undefined
  const seconds = Number(retryAfter)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, longestWait) : 1
}
const mostAttempts = 4
const longestWait = 30
