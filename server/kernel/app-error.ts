import type { AuditAction } from '../../contract/audit.ts'
import { type ErrorCode, errors, type FieldError } from '../../contract/shared/errors.ts'

type More = {
  errors?: FieldError[]
  /** Seconds until it makes sense to try again. */
  retryAfter?: number
  /** Written to the audit log even though the transaction of the failed call is rolled back. */
  audit?: { company_id: string; actor_id?: string | null; action: AuditAction; data: Record<string, unknown> }
}

/** An error from the closed list of codes. The message says what to do next. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly more: More
  constructor(code: ErrorCode, message: string, more: More = {}) {
    super(message)
    this.code = code
    this.more = more
  }
  get status() {
    return errors[this.code].status
  }
}

/** One error in the input. `message` gets a full stop where it is shown alone. */
export const refused = (path: string, message: string, code: 'invalid_input' | 'conflict' = 'invalid_input') =>
  new AppError(code, sentence(message), { errors: [{ path, message }] })

/** For what the body refers to: if it does not exist, that is an error in the input. */
export async function referenced<T>(path: string, find: () => T | Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? refused(path, error.message) : error
  }
}

/** Throws if there are any. */
export function refuseAll(errors: FieldError[]) {
  if (!errors.length) return
  throw new AppError('invalid_input', errors.map(({ message }) => sentence(message)).join(' '), { errors })
}

const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`)
