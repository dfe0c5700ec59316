import type { FieldError } from '../../contract/shared/errors.ts'
import { AppError } from '../kernel/app-error.ts'

export const refuse = (errors: FieldError[]) => {
  if (!errors.length) return
  const text = errors.map(({ message }) => `${message}${/[.?]$/.test(message) ? '' : '.'}`).join(' ')
  throw new AppError('invalid_input', text, { errors })
}

export const fault = (path: string, message: string) =>
  new AppError('invalid_input', `${message}${/[.?]$/.test(message) ? '' : '.'}`, { errors: [{ path, message }] })
