// Plain HTTP instead of the typed client, because the recorded release may be older than this contract.
export type Answer = Record<string, unknown> & { id: string }
export type Caller = ReturnType<typeof callerOn>
type Identity = { cookie?: string } | { 'x-api-key': string }

export function callerOn(origin: string, identity: Identity, client: string) {
  const prefix = 'x-api-key' in identity ? '/api/v1' : '/app/api'

  async function send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
    const own = { 'content-type': 'application/json', 'user-agent': client }
    const headers = { ...own, ...identity, ...more } as Record<string, string>
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return fetch(`${origin}${prefix}${path}`, init)
  }

  async function call(method: string, path: string, body?: object) {
    const answer = await send(method, path, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return { answer, content: (text ? JSON.parse(text) : {}) as Answer }
  }

  return {
    send,
    get: async (path: string) => (await call('GET', path)).content,
    post: async (path: string, body: object = {}) => (await call('POST', path, body)).content,
    put: async (path: string, body: object) => (await call('PUT', path, body)).content,
    patch: async (path: string, body: object) => (await call('PATCH', path, body)).content,
    /** Later calls are made as this user. */
    async enter(path: string, body: object) {
      const { answer } = await call('POST', path, body)
      const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      identity = { cookie: cookies.join('; ') }
    },
    session: () => /kith_session=([^;]+)/.exec('cookie' in identity ? (identity.cookie ?? '') : '')?.[1],
    async create(object: string, ...records: object[]) {
      const { content } = await call('POST', `/records/${object}`, { records })
      return (content.records as Answer[]).map(({ id }) => id)
    },
    update: (object: string, ...records: { id: string; values: object }[]) =>
      call('PATCH', `/records/${object}`, { records }).then(({ content }) => content),
  }
}
