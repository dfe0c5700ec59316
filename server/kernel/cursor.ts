// Cursors of pages: a text that says where the next page starts, encoded so that no one builds it by hand.
import { AppError } from './app-error.ts'

export const writeCursor = (text: string) => Buffer.from(text).toString('base64url')

/** `parse` throws or returns undefined for a text that we did not write. */
export function readCursor<T>(cursor: string, parse: (text: string) => T | undefined, error = invalidCursor): T {
  try {
    const read = parse(Buffer.from(cursor, 'base64url').toString())
    if (read !== undefined) return read
  } catch {
    // Not from us either.
  }
  throw error()
}

export const invalidCursor = (advice = 'Omit it to start from the first page.') =>
  new AppError('invalid_input', `This cursor is invalid. ${advice}`, {
    errors: [{ path: 'cursor', message: 'Send the next_cursor of the previous page unchanged' }],
  })
