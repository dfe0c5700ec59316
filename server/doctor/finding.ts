// The result of one check of the doctor.
export type Finding = { check: string; status: 'ok' | 'warning' | 'failed'; found: string; advice: string | null }

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, advice: null })
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warning',
  found,
  advice,
})
export const failed = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'failed',
  found,
  advice,
})

/** A check that throws or takes too long is reported as failed. */
export async function look(check: string, seconds: number, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await within(seconds, work())
  } catch (error) {
    return failed(check, wordsOf(error), 'Fix this and run the doctor again.')
  }
}

export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no response within ${seconds} seconds`)), seconds * 1000)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The first line of an error. fetch hides the reason in `cause`. */
export function wordsOf(error: unknown): string {
  const { message, code, cause, errors } = error as NodeJS.ErrnoException & { cause?: unknown; errors?: unknown[] }
  const inner = cause ?? errors?.[0]
  if (inner) return wordsOf(inner)
  return (message || code || String(error)).split('\n')[0]!
}

const indent = '\n                      '

/** One line, followed by the advice if there is any. */
export function lineOf({ check, status, found, advice }: Finding) {
  const text = `${status.padEnd(8)} ${check.padEnd(12)} ${found}${advice ? `\n${advice}` : ''}`
  return text.replaceAll('\n', indent)
}

export function summaryOf(findings: Finding[]) {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const parts = [`${count('ok')} ok`]
  if (count('warning')) parts.push(`${count('warning')} ${count('warning') === 1 ? 'warning' : 'warnings'}`)
  if (count('failed')) parts.push(`${count('failed')} failed`)
  return `${parts.join(', ')}.`
}
