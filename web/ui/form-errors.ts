import type * as z from 'zod'
import { ApiError } from '../api.ts'
import { NotFetched } from './lazy-part.tsx'

type Errors = Record<string, string>

/** The contract's own words for what does not fit, before anything is sent. */
export const check =
  (shape: z.ZodObject) =>
  (values: Record<string, unknown>): Errors => {
    const result = shape.safeParse(values)
    return result.success ? {} : firstPerField(result.error.issues.map((i) => ({ ...i, path: i.path.join('.') })))
  }

/** The server's words, field by field. Empty when it refused for another reason. */
export const fieldErrors = (error: unknown): Errors =>
  error instanceof ApiError ? firstPerField(error.problem.errors ?? []) : {}

function firstPerField(faults: { path: string; message: string }[]) {
  const errors: Errors = {}
  for (const { path, message } of faults) errors[path.replace(/^\//, '')] ??= message
  return errors
}

export const wordsOf = (error: unknown) =>
  error instanceof ApiError
    ? error.problem.detail
    : error instanceof NotFetched
      ? 'It could not be fetched. Try again when the connection is back.'
      : 'Something unexpected happened. Try again.'

const id = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`
const taken = new RegExp(String.raw`^The \S+ (.+) is already used by (.+?)(?: \(${id}\))?$`, 'i')
const idInWords = new RegExp(String.raw` \(${id}\)`, 'gi')

/** Programs are told of a field by its key and of a record by its id; people know them by their names. */
export const inWords = (message: string) => message.replace(taken, '$1 is already used by $2').replace(idInWords, '')

/** The record that has a value which was refused for that. */
export const holderOf = (error: unknown) =>
  error instanceof ApiError ? error.problem.errors?.find(({ record }) => record)?.record : undefined

/** For a notice: what is wrong with the values themselves where that is why, else what the server says of it all. */
export function reasonOf(error: unknown) {
  const said = [...new Set(Object.values(fieldErrors(error)).map(inWords))]
  return said.length ? said.slice(0, 3).join('. ') : inWords(wordsOf(error))
}
