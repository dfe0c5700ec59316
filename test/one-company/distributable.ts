// What Citus refuses or does wrongly in a statement, although PostgreSQL takes it. See docs/scale.md.
import { distributed, local } from '../../server/distribution/tables.ts'
import { correlated } from './companies-in.ts'
import { type Node, parse } from './company-tables.ts'

const companyTables = new Set(distributed)
const localTables = new Set(local)

const written = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

/** Functions whose value depends on more than their arguments, or on settings such as the time zone. */
const unstable = new Set([
  'now',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'make_interval',
  'jsonb_build_object',
  'jsonb_build_array',
  'json_build_object',
  'to_jsonb',
  'row_to_json',
  'concat',
  'concat_ws',
  'format',
  'to_char',
  'random',
  'gen_random_uuid',
])

/** Why the statement would not work if its company's rows were on another node. */
export function undistributable(text: string): string[] {
  const statements = parse(text).filter((statement) => Object.keys(statement).some((kind) => written.has(kind)))
  const nodes = statements.flatMap(allNodes)
  const tables = nodes.flatMap(({ RangeVar, InsertStmt, UpdateStmt, DeleteStmt }) =>
    [RangeVar, InsertStmt?.relation, UpdateStmt?.relation, DeleteStmt?.relation].flatMap((one) =>
      one && !one.schemaname ? [one.relname as string] : [],
    ),
  )
  const ofCompanies = tables.filter((table) => companyTables.has(table))
  const ofSignIn = tables.filter((table) => localTables.has(table))
  const problems = (statements.length ? correlated(text) : []).map(
    (table) => `in a subquery, ${table} takes its company from outside`,
  )
  if (ofCompanies.length && ofSignIn.length)
    problems.push(`uses ${ofSignIn.join(', ')} together with ${ofCompanies.join(', ')}`)
  const calls = nodes.flatMap(functionName)
  if (ofCompanies.length && calls.some((name) => name.startsWith('pg_advisory') || name.startsWith('pg_try_advisory')))
    problems.push('takes a lock while it reads a table, so on another node')
  if (ofCompanies.length) problems.push(...nodes.flatMap(unstableIn))
  return problems
}

/** In what an UPDATE, or an INSERT on conflict, sets. */
function unstableIn({ UpdateStmt, InsertStmt }: Node): string[] {
  const targets: Node[] = UpdateStmt?.targetList ?? InsertStmt?.onConflictClause?.targetList ?? []
  return targets.flatMap(({ ResTarget: { name, val } }) => {
    const inside = allNodes(val)
    const isAboutRow = inside.some(({ ColumnRef }) => ColumnRef)
    const used = inside.flatMap(functionName).filter((found) => unstable.has(found))
    const choices = inside.filter(({ CaseExpr, CoalesceExpr }) => CaseExpr ?? CoalesceExpr)
    const chosen = choices.flatMap((choice) => allNodes(choice))
    if (chosen.some((node) => functionName(node).some((found) => unstable.has(found)) || node.SQLValueFunction))
      return [`sets ${name} with a choice between values that are not immutable`]
    if (isAboutRow && used.length) return [`sets ${name} with ${used.join(', ')} of a column`]
    if (InsertStmt && used.length) return [`sets ${name} with ${used.join(', ')} on a conflict`]
    if (isAboutRow && inside.some(isInterval)) return [`sets ${name} with an interval added to a column`]
    return []
  })
}

const functionName = ({ FuncCall }: Node): string[] => (FuncCall ? [FuncCall.funcname.at(-1).String.sval] : [])

const isInterval = ({ TypeCast }: Node) => TypeCast?.typeName?.names?.at(-1)?.String?.sval === 'interval'

/** The node and everything in it, subqueries too. */
function allNodes(node: unknown): Node[] {
  if (!node || typeof node !== 'object') return []
  const own = Array.isArray(node) ? [] : [node as Node]
  return [...own, ...Object.values(node).flatMap(allNodes)]
}
