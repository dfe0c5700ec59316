// The key under DATA_DIR goes with the database, because it opens what is sealed there.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../kernel/config.ts'
import { writeSecretKey } from '../kernel/vault.ts'

type Settings = Pick<Config, 'secretKey' | 'dataDir'>
const fileIn = (dataDir: string) => join(dataDir, 'secret.key')

/** Not SECRET_KEY: whoever set it keeps it elsewhere on purpose. */
export function takeSecretKey({ secretKey, dataDir }: Settings): Record<string, string> {
  const file = fileIn(dataDir)
  return secretKey || !existsSync(file) ? {} : { secret_key: readFileSync(file, 'utf8').trim() }
}

/** Another key that lies there already may open another database, and is kept beside it. */
export function bringSecretKey({ secretKey, dataDir }: Settings, extras: Record<string, string>, say: Say) {
  const key = extras.secret_key
  if (!key || key === secretKey) return
  const file = fileIn(dataDir)
  if (existsSync(file)) {
    if (readFileSync(file, 'utf8').trim() === key) return
    const aside = `${file}.before-restore-${Date.now()}`
    renameSync(file, aside)
    say(`Kept the secret key that was here as ${aside}`)
  }
  writeSecretKey(dataDir, key)
  if (secretKey) say(`The backup brought its own secret key (${file}). Start Kith without SECRET_KEY.`)
}
type Say = (text: string) => void
