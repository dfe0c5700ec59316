// Which companies a statement is about: the parameters that its tables' company_id must equal.
import { companyColumns, type Node, parse } from './company-tables.ts'
import { foundBySecret, queues } from './exceptions.ts'

/** A table, subquery or common table expression that a query reads or writes. */
type Item = {
  name: string
  level?: Level
  table?: string | undefined
  /** What its company_id must equal: a parameter, that of another item, or the one row that a secret leads to. */
  from: Set<Source>
}
type Source = Item | number | 'secret'
type Level = { items: Item[]; ctes: Map<string, Source | undefined>; outer: Level | undefined }

export type Companies = {
  params: number[]
  /** Tables in which the statement could touch several companies. */
  unnamed: string[]
}

export function companiesIn(text: string): Companies {
  const tables: Item[] = []
  for (const statement of parse(text)) query(statement, undefined, tables)
  const data = tables.filter(({ table }) => !queues.includes(table!))
  const needed = data.filter(({ table }) => table !== 'companies')
  const unnamed = needed.filter((item) => !sourcesOf(item).size).map(({ table }) => table!)
  const params = data.flatMap((item) => [...sourcesOf(item)]).filter((source) => source !== 'secret')
  return { params: [...new Set(params)], unnamed: [...new Set(unnamed)] }
}

/** Tables that take their company from an outer query or from a common table expression. */
export function correlated(text: string) {
  const tables: Item[] = []
  for (const statement of parse(text)) query(statement, undefined, tables)
  const data = tables.filter(({ table }) => !queues.includes(table!) && table !== 'companies')
  return data.filter((item) => !named(item)).map(({ table, name }) => `${table} ${name}`)
}
function named(item: Item, seen = new Set<Item>()): boolean {
  if (seen.has(item)) return false
  seen.add(item)
  return [...item.from].some(
    (source) => typeof source !== 'object' || (source.level === item.level && !!source.table && named(source, seen)),
  )
}

function sourcesOf(item: Item, seen = new Set<Item>()): Set<number | 'secret'> {
  if (seen.has(item)) return new Set()
  seen.add(item)
  return new Set(
    [...item.from].flatMap((source) => (typeof source === 'object' ? [...sourcesOf(source, seen)] : [source])),
  )
}

/** Where a column of the result comes from, if it is the company of something. */
type Result = (column: 'company_id' | number) => Source | undefined
const nothing: Result = () => undefined

function query(node: Node, outer: Level | undefined, tables: Item[]): Result {
  const [kind, body] = Object.entries(node)[0]!
  if (!['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) return nothing
  const level: Level = { items: [], ctes: new Map(), outer }
  for (const { CommonTableExpr: cte } of body.withClause?.ctes ?? [])
    level.ctes.set(cte.ctename, query(cte.ctequery, level, tables)('company_id'))
  if (kind === 'SelectStmt' && body.larg) {
    for (const part of [body.larg, body.rarg]) query({ SelectStmt: part }, level, tables)
    return nothing
  }
  const add = (item: Item) => {
    item.level = level
    level.items.push(item)
    if (item.table) tables.push(item)
    return item
  }
  const written = body.relation && add(itemOf(body.relation, level))
  const later: (() => void)[] = []
  for (const from of [...(body.fromClause ?? []), ...(body.usingClause ?? [])]) collect(from)
  for (const act of later) act()
  restrict(body.whereClause, level, level.items)
  const { targetList, whereClause, havingClause, sortClause, returningClause, onConflictClause, valuesLists } = body
  for (const part of [
    targetList,
    whereClause,
    havingClause,
    sortClause,
    returningClause,
    onConflictClause,
    valuesLists,
  ])
    for (const sub of subqueries(part)) query(sub, level, tables)
  if (kind === 'InsertStmt') insertInto(written!, body)
  return (column) => resultOf(body.returningClause?.exprs ?? body.returningList ?? targetList, column)

  function collect(from: Node): Item[] {
    if (from.RangeVar) return [add(itemOf(from.RangeVar, level))]
    if (from.JoinExpr) {
      const { larg, rarg, jointype, quals } = from.JoinExpr
      const [left, right] = [collect(larg), collect(rarg)]
      later.push(() => {
        restrict(quals, level, jointype === 'JOIN_LEFT' ? right : [...left, ...right])
        for (const sub of subqueries(quals)) query(sub, level, tables)
      })
      return [...left, ...right]
    }
    const item = add({ name: (from.RangeSubselect ?? from.RangeFunction)?.alias?.aliasname ?? '', from: new Set() })
    later.push(() => {
      const source = from.RangeSubselect && query(from.RangeSubselect.subquery, level, tables)('company_id')
      if (source !== undefined) item.from.add(source)
      for (const sub of subqueries(from.RangeFunction)) query(sub, level, tables)
    })
    return [item]
  }

  function insertInto(item: Item, { cols, selectStmt }: Node) {
    const result = selectStmt ? query(selectStmt, level, tables) : nothing
    const index = (cols ?? []).findIndex(
      ({ ResTarget }: Node) => ResTarget.name === companyColumns.get(item.table ?? ''),
    )
    if (index < 0) return
    const rows: Node[] | undefined = selectStmt.SelectStmt.valuesLists
    const sources = rows?.map(({ List }) => sourceOf(List.items[index], level)) ?? [result(index)]
    if (sources.every((source) => source !== undefined)) for (const source of sources) item.from.add(source)
  }

  function resultOf(targets: Node[] = [], column: 'company_id' | number): Source | undefined {
    for (const [i, { ResTarget }] of targets.entries()) {
      if (columnOf(ResTarget.val)?.at(-1) === undefined && ResTarget.val?.ColumnRef)
        return level.items.find(({ from }) => from.size)
      const name = ResTarget.name ?? columnOf(ResTarget.val)?.at(-1)
      if (column === i || column === name) return sourceOf(ResTarget.val, level)
    }
    return undefined
  }
}

function itemOf({ schemaname, relname, alias }: Node, level: Level): Item {
  const name = alias?.aliasname ?? relname
  for (let at: Level | undefined = level; at && !schemaname; at = at.outer) {
    const source = at.ctes.get(relname)
    if (at.ctes.has(relname)) return { name, from: new Set(source === undefined ? [] : [source]) }
  }
  return { name, table: !schemaname && companyColumns.has(relname) ? relname : undefined, from: new Set() }
}

/** Notes what a condition makes company_id equal to. Only for the given items: a condition says nothing about outer ones. */
function restrict(condition: Node | undefined, level: Level, items: Item[]) {
  const { BoolExpr, A_Expr } = condition ?? {}
  if (BoolExpr?.boolop === 'AND_EXPR') for (const part of BoolExpr.args) restrict(part, level, items)
  if (A_Expr?.kind !== 'AEXPR_OP' || A_Expr.name[0].String.sval !== '=') return
  const { lexpr, rexpr } = A_Expr
  for (const [one, other] of [
    [lexpr, rexpr],
    [rexpr, lexpr],
  ] as const) {
    const item = companyItem(one, level)
    const source = sourceOf(other, level)
    if (item && items.includes(item) && source !== undefined) item.from.add(source)
    const secret = items.find(({ name, table }) => isSecret(columnOf(one), name, table, items.length === 1))
    if (secret && paramOf(other)) secret.from.add('secret')
  }
}

const isSecret = (column: string[] | undefined, name: string, table: string | undefined, isOnly: boolean) =>
  table !== undefined &&
  foundBySecret[table] === column?.at(-1) &&
  (column?.length === 1 ? isOnly : column?.[0] === name)

const sourceOf = (node: Node, level: Level): Source | undefined => paramOf(node) ?? companyItem(node, level)

const paramOf = (node: Node): number | undefined => (node.TypeCast ? paramOf(node.TypeCast.arg) : node.ParamRef?.number)

const columnOf = (node: Node | undefined): string[] | undefined =>
  node?.ColumnRef?.fields.map(({ String: text }: Node) => text?.sval)

/** The item whose company_id this is. */
function companyItem(node: Node, level: Level | undefined): Item | undefined {
  const column = columnOf(node)
  if (!column || !level) return
  const name = column.at(-1)!
  const isCompany = ({ table }: Item) => name === (table ? companyColumns.get(table) : 'company_id')
  const [qualifier] = column.length > 1 ? column : []
  const found = level.items.find((item) => isCompany(item) && (!qualifier || item.name === qualifier))
  return found ?? companyItem(node, level.outer)
}

/** The outermost subqueries in an expression. */
function subqueries(node: unknown): Node[] {
  if (!node || typeof node !== 'object') return []
  if ('SubLink' in node) {
    const { subselect, testexpr } = (node as Node).SubLink
    return [subselect, ...subqueries(testexpr)]
  }
  return Object.values(node).flatMap(subqueries)
}
