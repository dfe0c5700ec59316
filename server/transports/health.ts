import type { FastifyInstance } from 'fastify'

/** livez: the process answers. readyz: it can also work, which needs the database. */
export const mountHealth = (readiness: () => Promise<string>) =>
  async function health(app: FastifyInstance) {
    app.get('/livez', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
    app.get('/readyz', async (_request, reply) => {
      const status = await readiness()
      return reply
        .code(status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status })
    })
  }
