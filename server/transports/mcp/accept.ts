export type Format = 'json' | 'sse'

const known = new Map<string, Format | null>()

/** The format that a client prefers; null if it does not accept both. */
export function formatFor(accept: string | undefined): Format | null {
  const header = accept ?? ''
  const cached = known.get(header)
  if (cached !== undefined) return cached
  const format = read(header)
  if (known.size < 100) known.set(header, format)
  return format
}

function read(header: string): Format | null {
  const json = weightOf(header, 'application/json')
  const sse = weightOf(header, 'text/event-stream')
  if (!json || !sse) return null
  if (json.weight !== sse.weight) return json.weight > sse.weight ? 'json' : 'sse'
  return json.position < sse.position ? 'json' : 'sse'
}

function weightOf(header: string, type: string) {
  const entries = header.split(',').map((entry, position) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return { name, position, weight: q ? Number(q.slice(2)) : 1 }
  })
  return entries.find((entry) => entry.name === type && entry.weight > 0)
}
