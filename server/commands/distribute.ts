// npm run distribute -- [--dry-run] [--undo]
import { parseArgs } from 'node:util'
import { distribute, type Plan, planOf } from '../distribution/distribute.ts'
import { readConfig, StartError } from '../platform/config.ts'
import { borrowDatabase } from '../platform/open-database.ts'
import { runProgram } from '../platform/run-command.ts'
import { count } from '../platform/terminal.ts'

await runProgram(
  'Stopped. What has moved stays where it is. Run the same command again to go on.',
  async ({ say, progress, took }, signal) => {
    const { isDry, way } = readArguments(process.argv.slice(2))
    const database = await borrowDatabase(readConfig(process.env), say)
    try {
      if (isDry) return describe(await planOf(database.owner, way, signal), way)
      const { tables, rows, workers } = await distribute(database.owner, way, progress, signal)
      const what = `${count(tables, 'table', 'tables')} with ${count(rows, 'row', 'rows')}`
      return way === 'undo'
        ? `Brought back ${what} in ${took()}. All rows were compared. Kith runs on one PostgreSQL again.`
        : `Distributed ${what} over ${count(workers, 'worker', 'workers')} in ${took()}. All rows were compared.`
    } finally {
      await database.stop()
    }
  },
)

function readArguments(args: string[]) {
  try {
    const { values } = parseArgs({ args, options: { 'dry-run': { type: 'boolean' }, undo: { type: 'boolean' } } })
    return { isDry: values['dry-run'] ?? false, way: values.undo ? ('undo' as const) : ('distribute' as const) }
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nUse: npm run distribute -- [--dry-run] [--undo]`)
  }
}

const words = {
  distribute: { distributed: 'would be distributed', known: 'stays here, would be added to the metadata' },
  undo: { distributed: 'would be brought back', known: 'stays here, would leave the metadata' },
}
const done = {
  distribute: { distributed: 'is distributed', known: 'stays here, is in the metadata' },
  undo: { distributed: 'is on this server', known: 'stays here' },
}

function describe({ version, workers, steps }: Plan, way: 'distribute' | 'undo') {
  const width = Math.max(...steps.map(({ table }) => table.length))
  const lines = steps.map(({ table, kind, rows, isDone }) => {
    const what = kind === 'local' ? 'stays here' : (isDone ? done : words)[way][kind]
    return `${table.padEnd(width)}  ${rows.toLocaleString('en').padStart(13)}  ${what}`
  })
  return [`Citus ${version} with ${count(workers, 'worker', 'workers')}. Nothing was changed.`, '', ...lines].join('\n')
}
