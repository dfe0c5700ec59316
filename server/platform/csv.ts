/** A value as a cell. Spreadsheets run what begins like a formula, so such text gets an apostrophe in front. */
export function inTable(value: unknown) {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text
}
