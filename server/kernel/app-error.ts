import type { AuditAction } from '../../contract/audit.ts'
import { type ErrorCode, errors, type FieldError } from '../../contract/errors.ts'

type More = {
  errors?: FieldError[]
  /** Seconds until it makes sense to try again. */
  retryAfter?: number
  /** Written to the audit log although the call fails and its transaction is undone. */
  audit?: { company_id: string; actor_id?: string | null; action: AuditAction; data: Record<string, unknown> }
}

/** An answer from the closed list of errors. The message tells the reader what to do next. */
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
