import type { FastifyInstance } from 'fastify'

/** livez: the process responds. readyz: it can also reach the database. */
export const mountHealth = ({ look, isStopping }: { look: () => Promise<string>; isStopping: () => boolean }) =>
  async function health(app: FastifyInstance) {
    // Anyone may call this, so all calls within a second share one check.
    let seen: { at: number; status: Promise<string> } | undefined
    const readiness = () => {
      if (!seen || performance.now() - seen.at > 1000) seen = { at: performance.now(), status: look() }
      return seen.status
    }
    app.get('/livez', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
    app.get('/readyz', async (_request, reply) => {
      const status = isStopping() ? 'stopping' : await readiness()
      return reply
        .code(status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status })
    })
  }
