// Migrations since 0.3.0 let the version before go on working while they run: nothing rewrites a large table or locks it for
// long, and nothing takes away what that version uses.
import { loadModule, parseSync } from 'libpg-query'
import { expect, test } from 'vitest'
import { migrationsFolder, readMigrations } from '../server/platform/migrate.ts'
import { migrationsOf } from './upgrade/released.ts'

await loadModule()
const released = new Set(migrationsOf('0.3.0').map(({ name }) => name))

// Parts of the trees that PostgreSQL's parser makes.
type Node = Record<string, Record<string, unknown>>
type Relation = { relname?: string }
type Constraint = { contype: string; skip_validation?: boolean; indexname?: string; raw_expr?: unknown }

const isBuilding = (text: string) => text.startsWith('-- concurrently')
/** Tables that never have many rows, named in a line of the file. */
const smallIn = (text: string) => (/^-- Small: (.+)$/m.exec(text)?.[1] ?? '').split(', ')
/** What only an earlier version used, which is no longer the one before. */
const isContracting = (text: string) => /^-- No longer used since \d+\.\d+\.\d+/m.test(text)

/** What would keep the version before from working, if the file is applied under it. */
function problemsIn(text: string): string[] {
  const statements = (parseSync(text).stmts ?? []).map(({ stmt }) => stmt as unknown as Node)
  const spared = new Set(smallIn(text))
  return statements.flatMap((statement) => {
    const [[kind, of]] = Object.entries(statement) as [[string, Record<string, unknown>]]
    const table = ((of.relation ?? {}) as Relation).relname ?? ''
    if (kind === 'CreateStmt') spared.add(table)
    if (kind === 'IndexStmt') {
      if (isBuilding(text))
        return of.concurrent && of.if_not_exists
          ? []
          : [`an index on ${table} is not built "concurrently if not exists"`]
      return spared.has(table)
        ? []
        : [`an index on ${table} locks it: use a file of its own that begins with "-- concurrently"`]
    }
    if (isBuilding(text)) return [`a file that begins with "-- concurrently" has only indexes, not ${kind}`]
    if (kind === 'RenameStmt') return [`${table} or a part of it is renamed, which the version before does not know`]
    if (kind === 'DropStmt')
      return of.removeType === 'OBJECT_TABLE' && !isContracting(text)
        ? ['a table is dropped, which the version before uses']
        : []
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt')
      return spared.has(table) ? [] : [`${table} is changed row by row: do that in a background task`]
    if (kind !== 'AlterTableStmt') return []
    const commands = (of.cmds as { AlterTableCmd: Record<string, unknown> }[]).map(({ AlterTableCmd }) => AlterTableCmd)
    return commands.flatMap((command) => problemsOf(command, table, spared.has(table), isContracting(text)))
  })
}

function problemsOf(command: Record<string, unknown>, table: string, isSpared: boolean, mayDrop: boolean): string[] {
  const of = (command.def ?? {}) as Record<string, Record<string, unknown>>
  if (command.subtype === 'AT_DropColumn')
    return mayDrop ? [] : [`${table}.${command.name} is dropped, which the version before uses`]
  if (isSpared) return []
  if (command.subtype === 'AT_AlterColumnType') return [`${table} is rewritten for the type of ${command.name}`]
  if (command.subtype === 'AT_SetNotNull')
    return [`${table} is read whole: add a check as "not valid", and validate it in the next migration`]
  if (command.subtype === 'AT_AddConstraint') return refused(of.Constraint as Constraint, table)
  if (command.subtype !== 'AT_AddColumn') return []
  const column = of.ColumnDef as { colname: string; constraints?: { Constraint: Constraint }[] }
  return (column.constraints ?? []).flatMap(({ Constraint: constraint }) => {
    if (constraint.contype === 'CONSTR_DEFAULT')
      return isConstant(constraint.raw_expr) ? [] : [`${table} is rewritten for the default of ${column.colname}`]
    if (constraint.contype === 'CONSTR_GENERATED') return [`${table} is rewritten for ${column.colname}`]
    return refused(constraint, table)
  })
}

function refused({ contype, skip_validation, indexname }: Constraint, table: string) {
  if (['CONSTR_CHECK', 'CONSTR_FOREIGN'].includes(contype) && !skip_validation)
    return [`${table} is read whole: add the constraint as "not valid", and validate it in the next migration`]
  if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(contype) && !indexname)
    return [`an index on ${table} locks it: build it concurrently, then add the constraint "using index"`]
  return []
}

/** `now()` is the same for all rows, so it is stored once. */
const isConstant = (expression: unknown): boolean => {
  const text = JSON.stringify(expression)
  return !text.includes('FuncCall') || /^\{"FuncCall":\{"funcname":\[\{"String":\{"sval":"now"\}\}\]/.test(text)
}

const added = readMigrations(migrationsFolder).filter(({ name }) => !released.has(name))

test.each(added)('$name can be applied while the version before is running', ({ text }) => {
  expect(problemsIn(text)).toEqual([])
})

test.each([
  ['create index on records (title)', 'locks it'],
  ['-- concurrently\ncreate index a on records (title);', 'not built'],
  ['-- concurrently\nalter table records add n int;', 'only indexes'],
  ['alter table records add n int not null default random()', 'rewritten for the default of n'],
  ['alter table records add n text generated always as (title) stored', 'rewritten for n'],
  ['alter table records alter title type text', 'rewritten for the type'],
  ['alter table records alter title set not null', 'read whole'],
  ['alter table records add check (title <> $$$$)', 'read whole'],
  ['alter table records add n int references users (id)', 'read whole'],
  ['alter table records add unique (title)', 'using index'],
  ['alter table records drop column title', 'which the version before uses'],
  ['alter table records rename column title to name', 'renamed'],
  ['drop table records', 'which the version before uses'],
  ['update records set title = title', 'background task'],
])('%s is refused', (text, why) => {
  expect(problemsIn(text).join()).toContain(why)
})

test.each([
  'create table a (id int primary key); create index on a (id); insert into a select 1',
  '-- Small: roles\nalter table roles add check (name <> $$$$); update roles set name = name',
  'alter table records add n int not null default 0, add check (n > 0) not valid',
  'alter table records add made_at timestamptz not null default now()',
  'alter table records validate constraint records_n_check',
  'alter table records add unique using index records_by_n',
  '-- No longer used since 0.4.0\nalter table users drop column last_seen_at; drop table a',
  '-- concurrently\ncreate index concurrently if not exists a on records (title);',
])('%s is accepted', (text) => {
  expect(problemsIn(text)).toEqual([])
})
