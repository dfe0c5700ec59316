/** A value as a CSV cell. Text that looks like a formula gets a leading apostrophe, because spreadsheets would run it. */
export function inTable(value: unknown) {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text
}
