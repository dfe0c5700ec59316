import type * as z from 'zod'
import type { FieldError } from '../../contract/shared/errors.ts'
import { AppError } from './app-error.ts'

/** A body can have a hundred thousand errors; more than this would not help anyone. */
const mostErrors = 20
const longestPath = 200

/** The input, validated by the contract. Throws the first errors if it is invalid. */
export function parseInput(schema: z.ZodType, raw: unknown) {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issues = withoutWrongLengths(parsed.error.issues)
  const errors: FieldError[] = []
  let total = 0
  for (const issue of issues) {
    total += issue.code === 'unrecognized_keys' ? issue.keys.length : 1
    if (errors.length < mostErrors) errors.push(...errorsOf(issue, schema).slice(0, mostErrors - errors.length))
  }
  const isUnknown = issues.some((issue) => issue.code === 'unrecognized_keys')
  const where = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  const rest = total > errors.length ? `; and ${(total - errors.length).toLocaleString('en')} more` : ''
  throw new AppError(isUnknown ? 'unknown_field' : 'invalid_input', `Correct this and send it again. ${where}${rest}`, {
    errors,
  })
}

/** Zod also checks the length of a value of the wrong type: of a text, for instance, where a list is required. */
function withoutWrongLengths(issues: z.core.$ZodIssue[]) {
  let mistyped = ''
  return issues.filter(({ code, path }) => {
    if (code === 'invalid_type') mistyped = path.join('.')
    return !((code === 'too_big' || code === 'too_small') && mistyped !== '' && path.join('.') === mistyped)
  })
}

function errorsOf(issue: z.core.$ZodIssue, schema: z.ZodType): FieldError[] {
  const at = (path: PropertyKey[]) => path.join('.').slice(0, longestPath)
  if (issue.code !== 'unrecognized_keys') return [{ path: at(issue.path), message: issue.message }]
  const hint = takesValues(schema, issue.path) ? `. Fields of the record go into ${at([...issue.path, 'values'])}` : ''
  return issue.keys
    .slice(0, mostErrors)
    .map((key) => ({ path: at([...issue.path, key]), message: `Unknown field${hint}` }))
}

/** Whether the object at this path has its record's fields one level deeper: deal.amount is deal.values.amount. */
function takesValues(schema: z.ZodType, path: PropertyKey[]) {
  let inner = plain(schema)
  for (const key of path) inner = plain(typeof key === 'number' ? inner?.element : inner?.shape?.[String(key)])
  return path.length > 0 && inner?.shape?.values !== undefined
}

type Inner = { shape?: Record<string, unknown>; element?: unknown; unwrap?: () => unknown }

/** Without optional, nullable and default around it. */
function plain(schema: unknown): Inner | undefined {
  let inner = schema as Inner | undefined
  while (inner && !inner.shape && !inner.element && typeof inner.unwrap === 'function') inner = inner.unwrap() as Inner
  return inner
}
