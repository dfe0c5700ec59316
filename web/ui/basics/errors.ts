import type * as z from 'zod'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { ApiError } from '../../client/api.ts'

type Errors = Record<string, string>

/** What the contract says about the values, before anything is sent. */
export function check(shape: z.ZodObject, values: Record<string, unknown>): Errors {
  const result = shape.safeParse(values)
  return result.success ? {} : firstPerField(result.error.issues.map((i) => ({ ...i, path: i.path.join('.') })))
}

/** What the server says, field by field. Empty when it refused for another reason. */
export const fieldErrors = (error: unknown): Errors =>
  error instanceof ApiError
    ? firstPerField((error.problem.errors ?? []).map((one) => ({ path: one.path, message: inWords(one) })))
    : {}

function firstPerField(faults: { path: string; message: string }[]) {
  const errors: Errors = {}
  for (const { path, message } of faults) errors[path.replace(/^\//, '')] ??= message
  return errors
}

/** The same errors, and a way to ask afterwards which of them no one has looked at: no field shows those. */
export function watched(errors: Errors) {
  const shown = new Set<string>()
  const seen = new Proxy(errors, {
    get(target, path) {
      shown.add(String(path))
      return Reflect.get(target, path)
    },
  })
  return { errors: seen, hidden: () => Object.entries(errors).filter(([path]) => !shown.has(path)) }
}

/** The first error of a value or of something inside it. */
export function errorUnder(errors: Errors, field: string) {
  const path = Object.keys(errors).find((path) => path === field || path.startsWith(`${field}.`))
  return path === undefined ? undefined : errors[path]
}

/** `Retry minutes: This must be a number`, for an error that no field shows. */
export function withField([path, message]: [string, string]) {
  const words =
    path
      .split('.')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1)
      ?.replaceAll('_', ' ') ?? ''
  return words ? `${words[0]!.toUpperCase()}${words.slice(1)}: ${message}` : message
}

/** The messages are written for programs, which know fields by key and records by ID; people know them by name. */
function inWords({ code, value, record, message }: FieldError) {
  if (code === 'already_used') return `${value} is already used by ${record?.title ?? 'a record that you cannot see'}`
  return message
}

/** What was said, if it was said in words. */
export const wordsOf = (error: unknown) =>
  typeof error === 'string' && error
    ? error
    : error instanceof ApiError
      ? error.problem.detail
      : 'Something unexpected happened. Try again.'

/** The record that already has a unique value. */
export const holderOf = (error: unknown) =>
  error instanceof ApiError ? error.problem.errors?.find(({ record }) => record)?.record : undefined

/** For a notice: what is wrong with the values if that is the reason, else what the server says about the whole. */
export function reasonOf(error: unknown) {
  const said = [...new Set(Object.values(fieldErrors(error)))]
  return said.length ? said.slice(0, 3).join('. ') : wordsOf(error)
}
