// Text in double quotes.

const escapes: Record<string, string> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }
const escaped: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export const quote = (text: string) => `"${text.replace(/["\\\n\r\t]/g, (c) => escaped[c]!)}"`

export const unquote = (literal: string) =>
  literal.slice(1, -1).replace(/\\([\s\S])/g, (_, c: string) => escapes[c] ?? c)

/** The position of a backslash that escapes nothing; -1 if there is none. */
export const strayBackslash = (literal: string) => {
  for (const match of literal.matchAll(/\\([\s\S])/g)) if (!(match[1]! in escapes)) return match.index
  return -1
}
