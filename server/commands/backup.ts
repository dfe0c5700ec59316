// What `npm run backup -- [FILE] [--with-secret-key]` runs.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backUp } from '../backup/backup.ts'
import { adviceOnKeeping, takeSecretKey } from '../backup/secret-key.ts'
import { readConfig, StartError } from '../platform/config.ts'
import { borrowDatabase } from '../platform/database.ts'
import { runProgram } from '../platform/program.ts'
import { count, sizeOf } from '../platform/terminal.ts'

await runProgram('Stopped. No backup was made.', async ({ say, progress, took }, signal) => {
  const config = readConfig(process.env)
  const { named, hasKey } = readArguments(process.argv.slice(2))
  const passphrase = config.backupPassphrase
  const file = named ? resolve(process.env.INIT_CWD ?? '.', named) : join(config.dataDir, 'backups', defaultName())
  const database = await borrowDatabase(config, say)
  try {
    if (!named) mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
    const extras = hasKey ? takeSecretKey(config) : {}
    const made = await backUp({ connection: database.owner, file, extras, passphrase, signal, progress })
    const what = `${count(made.rows, 'row', 'rows')} of ${count(made.tables, 'table', 'tables')}`
    const size = `${sizeOf(made.bytes)}${passphrase ? ', encrypted' : ''}`
    const advice = adviceOnKeeping(config, { hasKey, isEncrypted: passphrase !== undefined })
    return [`Backed up ${what} to ${file} (${size}) in ${took()}`, ...advice].join('\n')
  } finally {
    await database.stop()
  }
})

function readArguments(args: string[]) {
  const [named, ...more] = args.filter((arg) => !arg.startsWith('--'))
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--with-secret-key') ?? more[0]
  if (unknown)
    throw new StartError(`npm run backup does not know ${unknown}. Use: npm run backup -- [FILE] [--with-secret-key]`)
  return { named, hasKey: args.includes('--with-secret-key') }
}

/** The time in UTC, without what a file system may not like: kith-2026-11-15T051200Z.kith */
function defaultName() {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return `kith-${time}.kith`
}
