// What the doctor says of one thing it looked at.
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

/** A check that breaks or takes too long is a finding too. */
export async function look(check: string, seconds: number, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await within(seconds, work())
  } catch (error) {
    return failed(check, wordsOf(error), 'Mend this first, then run the doctor again.')
  }
}

export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`there was no answer within ${seconds} seconds`)), seconds * 1000)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The first words of an error. fetch hides what went wrong in its cause. */
export function wordsOf(error: unknown): string {
  const { message, code, cause, errors } = error as NodeJS.ErrnoException & { cause?: unknown; errors?: unknown[] }
  const inner = cause ?? errors?.[0]
  if (inner) return wordsOf(inner)
  return (message || code || String(error)).split('\n')[0]!
}

const indent = '\n                      '

/** One line, and under it what to do if it is not well. */
export function lineOf({ check, status, found, advice }: Finding) {
  const text = `${status.padEnd(8)} ${check.padEnd(12)} ${found}${advice ? `\n${advice}` : ''}`
  return text.replaceAll('\n', indent)
}

export function summaryOf(findings: Finding[]) {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const parts = [`${count('ok')} ok`]
  if (count('warning')) parts.push(`${count('warning')} to look at`)
  if (count('failed')) parts.push(`${count('failed')} failed`)
  return `${parts.join(', ')}.`
}
