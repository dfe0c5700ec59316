// What `npm run restore -- FILE` runs.
import { resolve } from 'node:path'
import { openForRestore, restore } from '../backup/restore.ts'
import { bringSecretKey } from '../backup/secret-key.ts'
import { readConfig, StartError } from '../kernel/config.ts'
import { openDatabase } from '../kernel/database.ts'
import { runProgram } from '../kernel/program.ts'
import { count } from '../kernel/terminal.ts'

await runProgram('Stopped. Nothing was changed.', async ({ say, progress, took }, signal) => {
  const config = readConfig(process.env)
  const named = process.argv[2]
  if (!named) throw new StartError('Name the file to restore: npm run restore -- FILE')
  const file = resolve(process.env.INIT_CWD ?? '.', named)
  const backup = await openForRestore(file, progress)
  const database = await openDatabase(config, say)
  try {
    const beforeCommit = (extras: Record<string, string>) => bringSecretKey(config, extras, say)
    const order = { connection: database.connection, backup, signal, progress, beforeCommit }
    const { rows, tables, leftOut } = await restore(order)
    if (leftOut.length) say(`Left out what is not Kith's: ${leftOut.join(', ')}`)
    const what = `${count(rows, 'row', 'rows')} of ${count(tables, 'table', 'tables')}`
    return `Restored ${what} from ${file}, checked against the backup, in ${took()}`
  } finally {
    await database.stop()
  }
})
