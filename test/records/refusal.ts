// How a call was refused, in a form that can be compared.
import { expect } from 'vitest'
import { ApiError } from '../../web/client/api.ts'

export const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.problem.status : Promise.reject(error)),
  )

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** The answer or the refusal as text, without what differs from call to call. */
export const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => JSON.stringify(answer),
    (error) => {
      if (!(error instanceof ApiError)) throw error
      const { request_id: _, ...problem } = error.problem
      return JSON.stringify(problem).replaceAll(id, 'ID')
    },
  )

const ofTheDatabase =
  /\b(select|insert into|update \w+ set|where|jsonb|uuid\[\]|postgres|pg_|constraint|violates)\b|invalid input syntax|\$\d/i

/** Words of the caller that an error repeats may be those of the database. */
const without = (text: string, what: string) =>
  [what, ...textsIn(what)].filter(Boolean).reduce((left, sent) => left.replaceAll(sent, ''), text)
const textsIn = (what: string) => (what.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((quoted) => JSON.parse(quoted) as string)

/** Whether a call was taken; it may be refused in words, but never fail, and never in the words of the database. */
export const isTaken = (call: Promise<unknown>, what = '') =>
  call.then(
    () => true,
    (error) => {
      if (!(error instanceof ApiError)) throw error
      const { status, detail, errors = [] } = error.problem
      expect(status, `${what}: ${detail}`).toBeOneOf([400, 404, 409, 413, 422])
      const told = [detail, ...errors.map(({ message }) => message)].map((text) => without(text, what))
      for (const text of told) {
        expect(text.length, what).toBeGreaterThan(5)
        expect(text, what).not.toMatch(ofTheDatabase)
      }
      return false
    },
  )
