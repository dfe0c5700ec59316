import type { FieldError } from '../../../contract/shared/errors.ts'
import { AppError } from '../../kernel/app-error.ts'
import { Answer } from './catalog.ts'
import { fitted } from './shorten-answer.ts'

const retryable = new Set(['too_many_requests', 'unavailable', 'internal'])
const mostErrors = 20

/** An error that an agent can read and act on. */
export function errorResult(error: unknown, request_id: string): Answer {
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', `Something went wrong on our side. Give an Admin this request ID: ${request_id}`)
  const { errors } = known.more
  const content = {
    code: known.code,
    message: known.message,
    ...(errors?.[0] && { field: errors[0].path }),
    ...(errors && { errors: alikeOnce(errors) }),
    retryable: retryable.has(known.code),
  }
  return new Answer(fitted('', { error: content }), true)
}

/** Reports an error that many records have in common once, with a count. */
function alikeOnce(errors: FieldError[]) {
  const alike = Map.groupBy(errors, ({ path, message }) => `${path.replace(/\.\d+/g, '')} ${message}`)
  return [...alike.values()]
    .slice(0, mostErrors)
    .map(([first, ...others]) => (others.length ? { ...first, also: others.length } : first))
}
