// What `npm run backup -- [FILE]` runs.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backUp } from '../backup/backup.ts'
import { takeSecretKey } from '../backup/secret-key.ts'
import { readConfig } from '../kernel/config.ts'
import { borrowDatabase } from '../kernel/database.ts'
import { runProgram } from '../kernel/program.ts'
import { count, sizeOf } from '../kernel/terminal.ts'

await runProgram('Stopped. No backup was made.', async ({ say, progress, took }, signal) => {
  const config = readConfig(process.env)
  const named = process.argv[2]
  const file = named ? resolve(process.env.INIT_CWD ?? '.', named) : join(config.dataDir, 'backups', defaultName())
  const database = await borrowDatabase(config, say)
  try {
    if (!named) mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
    const extras = takeSecretKey(config)
    const made = await backUp({ connection: database.connection, file, extras, signal, progress })
    const what = `${count(made.rows, 'row', 'rows')} of ${count(made.tables, 'table', 'tables')}`
    return `Backed up ${what} to ${file} (${sizeOf(made.bytes)}) in ${took()}`
  } finally {
    await database.stop()
  }
})

/** The time in UTC, without what a file system may not like: kith-2026-11-15T051200Z.kith */
function defaultName() {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return `kith-${time}.kith`
}
