// What is kept of requests that were sent and of their answers, for people to read.
import type { IncomingHttpHeaders } from 'node:http'

/** Of the body of an answer. */
export const keptBytes = 16 * 1024
const mostHeaders = 50

export const shownBody = (body: Buffer) => body.toString().replaceAll('\0', '\ufffd')

export const shownHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, mostHeaders)
      .map(([name, value]) => [name, [value ?? ''].flat().join(', ').slice(0, 2000)]),
  )

/** Headers that may contain credentials. */
export const masked = (headers: Record<string, string>) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), '•••']))
