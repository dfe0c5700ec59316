// Watches the statements that the product sends, for those that could touch the data of several companies at once, or
// could not be distributed over several machines.
import type { Pool } from '../../server/platform/db.ts'
import { onStatement } from '../statements.ts'
import { type Companies, companiesIn } from './companies-in.ts'
import { undistributable } from './distributable.ts'
import { isException } from './exceptions.ts'

const known = new Map<string, Companies & { refused: string[] }>()

/** What is wrong with the statement, if anything is. */
export function problemWith(text: string, values: unknown[]): string | undefined {
  let companies = known.get(text)
  if (!companies) {
    companies = isException(text)
      ? { params: [], unnamed: [], refused: [] }
      : { ...companiesIn(text), refused: undistributable(text) }
    known.set(text, companies)
  }
  if (companies.unnamed.length) return `names no company for ${companies.unnamed.join(', ')}: ${text}`
  if (companies.refused.length) return `${companies.refused.join('; ')}: ${text}`
  const named = new Set(companies.params.map((number) => String(values[number - 1])))
  return named.size > 1 ? `names ${named.size} companies: ${text}` : undefined
}

/** Collects the problems of everything that is sent through these pools, until they are asked for. */
export function watch(pools: Pool[]) {
  const problems = new Set<string>()
  for (const pool of pools)
    onStatement(pool, ({ text, values }) => {
      const problem = problemWith(text, values)
      if (problem) problems.add(problem)
    })
  return () => {
    const found = [...problems]
    problems.clear()
    return found
  }
}
