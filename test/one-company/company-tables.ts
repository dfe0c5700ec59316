// The tables with a company's data, read from the migrations.
import { loadModule, parseSync } from 'libpg-query'
import { migrationsFolder, readMigrations } from '../../server/platform/migrate.ts'

await loadModule()

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree has two hundred kinds of nodes, and this looks at twenty.
export type Node = Record<string, any>

export const parse = (text: string): Node[] => (parseSync(text) as Node).stmts?.map(({ stmt }: Node) => stmt) ?? []

const created = readMigrations(migrationsFolder)
  .flatMap(({ text }) => parse(text))
  .flatMap(({ CreateStmt }) => CreateStmt ?? [])

/** The column with the company, by table. Each row of `companies` is one. */
export const companyColumns = new Map<string, 'company_id' | 'id'>([
  ['companies', 'id'],
  ...created
    .filter(({ tableElts }: Node) => tableElts.some(({ ColumnDef }: Node) => ColumnDef?.colname === 'company_id'))
    .map(({ relation }: Node): [string, 'company_id'] => [relation.relname, 'company_id']),
])
