// Sends requests over persistent connections. Uses raw sockets, so that the client takes little CPU time.
import { connect, type Socket } from 'node:net'

export type Request = { port: number; method?: string; path: string; headers?: Record<string, string>; body?: string }
/** A request to repeat, or a function that returns the next one. */
export type Source = Request | (() => Request)
export type Load = { requests: number; seconds: number; latencies: Float64Array }

export async function load(
  source: Source,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const { port, next } = typeof source === 'function' ? madeBy(source) : always(source)
  const latencies: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, next, end, latencies)))
  return {
    requests: latencies.length,
    seconds: (performance.now() - began) / 1000,
    latencies: Float64Array.from(latencies).sort(),
  }
}

function always(request: Request) {
  const bytes = toBytes(request)
  return { port: request.port, next: () => bytes }
}

const madeBy = (source: () => Request) => ({ port: source().port, next: () => toBytes(source()) })

function toBytes({ port, method = 'GET', path, headers = {}, body = '' }: Request) {
  const all = {
    host: `localhost:${port}`,
    ...headers,
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

async function oneConnection(port: number, next: () => Buffer, end: number, latencies: number[]) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  while (performance.now() < end) {
    const bytes = next()
    const sent = performance.now()
    socket.write(bytes)
    await answer(socket)
    latencies.push(performance.now() - sent)
  }
  socket.destroy()
}

/** Waits for a complete response. Any status but 2xx ends the benchmark, because it would measure the wrong thing. */
function answer(socket: Socket) {
  return new Promise<void>((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let wanted = -1
    const done = (error?: Error) => {
      socket.off('data', onData).off('error', done).off('close', onClose)
      error ? reject(error) : resolve()
    }
    const onClose = () => done(new Error('the server closed the connection'))
    const onData = (chunk: Buffer) => {
      received = received.length ? Buffer.concat([received, chunk]) : chunk
      if (wanted < 0) {
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const text = received.toString('latin1', 0, head)
        if (!/^HTTP\/1\.1 2/.test(text))
          return done(new Error(`unexpected answer: ${received.toString('utf8').slice(0, 300)}`))
        wanted = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      }
      if (received.length >= wanted) done()
    }
    socket.on('data', onData).once('error', done).once('close', onClose)
  })
}
