// npm run restore -- FILE
import { resolve } from 'node:path'
import { openForRestore, restore } from '../backup/restore.ts'
import { adviceOnMissingKey, bringSecretKey } from '../backup/secret-key.ts'
import { openFiles } from '../files/open.ts'
import { readConfig, StartError } from '../platform/config.ts'
import { grantToApp } from '../platform/database-roles.ts'
import { openDatabase } from '../platform/open-database.ts'
import { runProgram } from '../platform/run-command.ts'
import { count } from '../platform/terminal.ts'

await runProgram('Stopped. Nothing was changed.', async ({ say, progress, took }, signal) => {
  const config = readConfig(process.env)
  const named = process.argv[2]
  if (!named) throw new StartError('Usage: npm run restore -- FILE')
  const file = resolve(process.env.INIT_CWD ?? '.', named)
  const backup = await openForRestore(file, { passphrase: config.backupPassphrase, progress })
  const { connection, owner, stop } = await openDatabase(config, say)
  try {
    const beforeCommit = (extras: Record<string, string>) => bringSecretKey(config, extras, say)
    const { store } = openFiles(config)
    const restored = await restore({ connection: owner, store, backup, signal, progress, beforeCommit })
    const { rows, tables, files, leftOut } = restored
    if (owner !== connection) await grantToApp(owner, connection)
    if (leftOut.length) say(`Skipped tables of other applications: ${leftOut.join(', ')}`)
    const what = `${count(rows, 'row', 'rows')} in ${count(tables, 'table', 'tables')} and ${count(files.count, 'file', 'files')}`
    const done = `Restored and verified ${what} from ${file} in ${took()}`
    const advice = await adviceOnMissingKey(config, owner)
    return advice ? `${done}\n${advice}` : done
  } finally {
    await stop()
  }
})
