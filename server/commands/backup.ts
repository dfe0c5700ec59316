// npm run backup -- [FILE] [--with-secret-key]
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backUp } from '../backup/backup.ts'
import { adviceOnKeeping, takeSecretKey } from '../backup/secret-key.ts'
import { openFiles } from '../files/open.ts'
import { readConfig, StartError } from '../platform/config.ts'
import { borrowDatabase } from '../platform/open-database.ts'
import { runProgram } from '../platform/run-command.ts'
import { count, sizeOf } from '../platform/terminal.ts'

await runProgram('Stopped. No backup was created.', async ({ say, progress, took }, signal) => {
  const config = readConfig(process.env)
  const { named, hasKey } = readArguments(process.argv.slice(2))
  const passphrase = config.backupPassphrase
  const file = named ? resolve(process.env.INIT_CWD ?? '.', named) : join(config.dataDir, 'backups', defaultName())
  const database = await borrowDatabase(config, say)
  try {
    if (!named) mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
    const extras = hasKey ? takeSecretKey(config) : {}
    const { store } = openFiles(config)
    const made = await backUp({ connection: database.owner, store, file, extras, passphrase, signal, progress })
    const { lost } = made.files
    const what = `${count(made.rows, 'row', 'rows')} in ${count(made.tables, 'table', 'tables')} and ${count(made.files.count, 'file', 'files')}`
    const size = `${sizeOf(made.bytes)}${passphrase ? ', encrypted' : ''}`
    const advice = adviceOnKeeping(config, { hasKey, isEncrypted: passphrase !== undefined })
    if (lost.length) advice.push(adviceOnLostFiles(lost.length))
    return [`Backed up ${what} to ${file} (${size}) in ${took()}`, ...advice].join('\n')
  } finally {
    await database.stop()
  }
})

const adviceOnLostFiles = (lost: number) =>
  `The content of ${count(lost, 'file', 'files')} in DATA_DIR/files is missing or damaged. Run npm run doctor.`

function readArguments(args: string[]) {
  const [named, ...others] = args.filter((arg) => !arg.startsWith('--'))
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--with-secret-key') ?? others[0]
  if (unknown) throw new StartError(`Unknown argument ${unknown}. Use: npm run backup -- [FILE] [--with-secret-key]`)
  return { named, hasKey: args.includes('--with-secret-key') }
}

/** The time in UTC, without colons, which some file systems reject: kith-2026-11-15T051200Z.kith */
function defaultName() {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return `kith-${time}.kith`
}
