// GET /metrics, on a port of its own.
import { createServer } from 'node:http'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { type Config, StartError } from '../platform/config.ts'

type Place = Pick<Config, 'metricsHost'> & { metricsPort: number }

/** Of this process. */
export const serveMetrics = (place: Place, registry: Registry) => listen(place, () => registry.metrics())

/** Of all server processes together. */
export function serveMetricsOfAll(place: Place) {
  const all = new AggregatorRegistry()
  return listen(place, () => all.clusterMetrics())
}

async function listen({ metricsHost, metricsPort }: Place, read: () => Promise<string>) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://metrics')
    if (pathname !== '/metrics') return response.writeHead(404).end('Metrics are at /metrics\n')
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end()
    try {
      const text = await read()
      return response.writeHead(200, { 'content-type': AggregatorRegistry.PROMETHEUS_CONTENT_TYPE }).end(text)
    } catch {
      // A process is being replaced. The next question comes soon.
      return response.writeHead(503).end()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `Kith cannot offer metrics on ${metricsHost}:${metricsPort} (${error.code}). Check METRICS_HOST and METRICS_PORT.`,
        ),
      ),
    )
    server.listen(metricsPort, metricsHost, resolve)
  })
  return {
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
