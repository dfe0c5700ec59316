// npm run company -- export [COMPANY] [FILE]
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exportCompany, findCompany } from '../../company-move/export.ts'
import { openFiles } from '../../files/open.ts'
import { readConfig, StartError } from '../../platform/config.ts'
import { borrowDatabase } from '../../platform/open-database.ts'
import { count, sizeOf, type Terminal } from '../../platform/terminal.ts'
import { refuseUnmigrated } from '../../platform/with-database.ts'
import { secretsToEnter } from './secrets-to-enter.ts'

export const usage = 'npm run company -- export [COMPANY] [FILE]  (COMPANY: its ID or name)'
export const stopped = 'Stopped. The company was not exported.'

export async function run({ say, progress, took }: Terminal, args: string[], signal: AbortSignal) {
  const [given, named, ...others] = args
  if (others.length || args.some((arg) => arg.startsWith('--'))) throw new StartError(`Usage: ${usage}`)
  const config = readConfig(process.env)
  const passphrase = config.backupPassphrase
  const database = await borrowDatabase(config, say)
  try {
    await refuseUnmigrated(config, database.owner)
    const company = await findCompany(database.owner, given)
    const file = named
      ? resolve(process.env.INIT_CWD ?? '.', named)
      : join(config.dataDir, 'backups', defaultName(company.name))
    if (!named) mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
    const { store } = openFiles(config)
    const made = await exportCompany({ connection: database.owner, store, file, passphrase, signal, progress, company })
    const { count: copied, lost } = made.files
    const what = `${count(made.rows, 'row', 'rows')} in ${count(made.tables, 'table', 'tables')} and ${count(copied, 'file', 'files')}`
    const size = `${sizeOf(made.bytes)}${passphrase ? ', encrypted' : ''}`
    const advice = [
      ...(lost.length ? [`${count(lost.length, 'file is', 'files are')} missing or damaged. Run npm run doctor.`] : []),
      ...(passphrase ? [] : ['The file is not encrypted. Set BACKUP_PASSPHRASE to encrypt it.']),
      ...secretsToEnter(made.without_secret),
    ]
    return [`Exported ${company.name} with ${what} to ${file} (${size}) in ${took()}`, ...advice].join('\n')
  } finally {
    await database.stop()
  }
}

/** Without colons, which some file systems reject: acme-2026-11-15T051200Z.kith */
function defaultName(name: string) {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return `${words.join('-').slice(0, 40) || 'company'}-${time}.kith`
}
