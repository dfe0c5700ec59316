// Plain HTTP instead of the typed client, because the recorded release may be older than this contract.
export type Answer = Record<string, unknown> & { id: string }
export type Caller = ReturnType<typeof callerOn>
/** A visitor is someone outside the company: on a website, or with a link from an email. */
type Identity = { cookie?: string } | { 'x-api-key': string } | 'visitor'

function prefixFor(identity: Identity) {
  if (identity === 'visitor') return '/public'
  return 'x-api-key' in identity ? '/api/v1' : '/app/api'
}

export function callerOn(origin: string, identity: Identity, client: string) {
  const prefix = prefixFor(identity)

  async function request(method: string, path: string, type: string, body: BodyInit | null, more: object = {}) {
    const own = { 'content-type': type, 'user-agent': client }
    const headers = { ...own, ...(identity === 'visitor' ? {} : identity), ...more } as Record<string, string>
    return fetch(`${origin}${prefix}${path}`, { method, headers, body, redirect: 'manual' })
  }

  const send = (method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    request(method, path, 'application/json', body ? JSON.stringify(body) : null, more)

  async function read(what: string, answer: Response) {
    const text = await answer.text()
    if (answer.status >= 400) throw new Error(`${what}: ${answer.status} ${text}`)
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { answer, content: (text && isJson ? JSON.parse(text) : {}) as Answer }
  }

  const call = async (method: string, path: string, body?: object) =>
    read(`${method} ${path}`, await send(method, path, body))

  return {
    send,
    get: async (path: string) => (await call('GET', path)).content,
    post: async (path: string, body: object = {}) => (await call('POST', path, body)).content,
    put: async (path: string, body: object) => (await call('PUT', path, body)).content,
    patch: async (path: string, body: object) => (await call('PATCH', path, body)).content,
    delete: async (path: string) => (await call('DELETE', path)).content,
    /** As the form of a website. */
    async submit(path: string, values: Record<string, string>, site: Record<string, string> = {}) {
      const type = 'application/x-www-form-urlencoded'
      const answer = await request('POST', path, type, new URLSearchParams(values).toString(), site)
      return (await read(`POST ${path}`, answer)).content
    },
    async upload(path: string, text: string) {
      const answer = await request('POST', path, 'application/octet-stream', text, { 'x-kith-upload': '1' })
      return (await read(`POST ${path}`, answer)).content
    },
    /** Later calls are made as this user. */
    async enter(path: string, body: object) {
      const { answer } = await call('POST', path, body)
      const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      identity = { cookie: cookies.join('; ') }
    },
    session: () => /kith_session=([^;]+)/.exec(JSON.stringify(identity))?.[1]?.replace(/"}?$/, ''),
    async create(object: string, ...records: object[]) {
      const { content } = await call('POST', `/records/${object}`, { records })
      return (content.records as Answer[]).map(({ id }) => id)
    },
    update: (object: string, ...records: { id: string; values: object }[]) =>
      call('PATCH', `/records/${object}`, { records }).then(({ content }) => content),
  }
}
