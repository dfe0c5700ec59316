import type * as z from 'zod'
import { ApiError } from '../api.ts'

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
  error instanceof ApiError ? error.problem.detail : 'Something unexpected happened. Try again.'
