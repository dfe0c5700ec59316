// npm run company -- import FILE [--rename-email OLD=NEW] [--without-sign-in]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { email as emailShape } from '../../../contract/shared/shapes.ts'
import { importCompany, openCompany } from '../../company-move/import.ts'
import { openFiles } from '../../files/open.ts'
import { readConfig, StartError } from '../../platform/config.ts'
import { borrowDatabase } from '../../platform/open-database.ts'
import { count, type Terminal } from '../../platform/terminal.ts'
import { refuseUnmigrated } from '../../platform/with-database.ts'
import { secretsToEnter } from './secrets-to-enter.ts'

export const usage = 'npm run company -- import FILE [--rename-email OLD=NEW] [--without-sign-in]'
export const stopped = 'Stopped. Nothing was changed.'

export async function run({ say, progress, took }: Terminal, args: string[], signal: AbortSignal) {
  const { named, choices } = readArguments(args)
  const config = readConfig(process.env)
  const file = resolve(process.env.INIT_CWD ?? '.', named)
  const backup = await openCompany(file, { passphrase: config.backupPassphrase, progress })
  const database = await borrowDatabase(config, say)
  try {
    await refuseUnmigrated(config, database.owner)
    const { store } = openFiles(config)
    const order = { connection: database.owner, store, backup, choices, signal, progress }
    const { rows, tables, files, withoutSignIn } = await importCompany(order)
    const { id, name, without_secret } = backup.company
    const what = `${count(rows, 'row', 'rows')} in ${count(tables, 'table', 'tables')} and ${count(files.count, 'file', 'files')}`
    const advice = [
      'Everyone chooses a new password with Forgot password. Without mail, create the link: npm run reset-password -- EMAIL',
      ...(withoutSignIn.length ? [`Without sign-in: ${withoutSignIn.join(', ')}`] : []),
      ...secretsToEnter(without_secret),
      'Run npm run doctor to check the installation.',
    ]
    return [`Imported and verified ${name} (${id}) with ${what} in ${took()}`, ...advice].join('\n')
  } finally {
    await database.stop()
  }
}

function readArguments(args: string[]) {
  try {
    const options = {
      'rename-email': { type: 'string', multiple: true, default: [] as string[] },
      'without-sign-in': { type: 'boolean', default: false },
    } as const
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    const [named, ...others] = positionals
    const renamed = new Map(values['rename-email'].map(readRename))
    if (named && !others.length) return { named, choices: { renamed, withoutSignIn: values['without-sign-in'] } }
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nUsage: ${usage}`)
  }
  throw new StartError(`Usage: ${usage}`)
}

function readRename(text: string): [string, string] {
  const [old, renamed, ...others] = text.split('=').map((part) => emailShape.safeParse(part))
  if (old?.success && renamed?.success && !others.length) return [old.data, renamed.data]
  throw new StartError(`--rename-email ${text} must be two addresses with = between them.`)
}
