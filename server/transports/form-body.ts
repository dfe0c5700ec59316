// Parses the text fields that an HTML form or a mail program sends, up to a limit.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'

const mostFields = 200

export function addFormParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const types = ['application/x-www-form-urlencoded', /^multipart\/form-data/]
  app.addContentTypeParser(types as string[], { parseAs: 'buffer' }, readForm)
  app.addContentTypeParser('*', async () => {
    throw new AppError('unsupported_media_type', 'Send the body as a form: application/x-www-form-urlencoded.')
  })
}

async function readForm({ headers }: FastifyRequest, body: Buffer) {
  const given = new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } })
  const fields = await given.formData().catch(() => {
    throw new AppError('bad_request', 'The body is not a valid form.')
  })
  const values: Record<string, string | string[]> = Object.create(null)
  let count = 0
  for (const [name, value] of fields) {
    if (++count > mostFields) throw new AppError('too_large', `A form can have at most ${mostFields} fields.`)
    if (typeof value !== 'string') throw new AppError('bad_request', 'This form does not accept files.')
    const key = nameOf(name)
    values[key] = key in values ? [values[key]!, value].flat() : value
  }
  return values
}

/** Names in the contract are snake_case, but mail programs send List-Unsubscribe. */
const nameOf = (name: string) => name.toLowerCase().replaceAll('-', '_')
