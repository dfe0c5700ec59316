// The key decrypts the secrets in the database, so a backup includes it only on request.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, StartError } from '../platform/config.ts'
import { createVault, writeSecretKey } from '../platform/vault.ts'

type Settings = Pick<Config, 'secretKey' | 'dataDir'>
type Say = (text: string) => void
const fileIn = (dataDir: string) => join(dataDir, 'secret.key')

function findKey({ secretKey, dataDir }: Settings) {
  const file = fileIn(dataDir)
  return secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
}

export function takeSecretKey(config: Settings): Record<string, string> {
  const key = findKey(config)
  if (!key)
    throw new StartError(`There is no secret key in ${config.dataDir}. Run the backup without --with-secret-key.`)
  return { secret_key: key }
}

/** Advice on storing this backup. */
export function adviceOnKeeping(config: Settings, { hasKey, isEncrypted }: { hasKey: boolean; isEncrypted: boolean }) {
  const where = config.secretKey ? 'SECRET_KEY' : fileIn(config.dataDir)
  const lost = 'without the key, mail passwords and two-factor secrets cannot be read after a restore'
  const isExposed = hasKey && !isEncrypted
  return [
    ...(!hasKey && findKey(config)
      ? [`The secret key is not in the backup. Store a copy of ${where} in another place: ${lost}.`]
      : []),
    ...(isExposed ? ['The backup contains the secret key: anyone with the file can read every secret in it.'] : []),
    ...(isEncrypted ? [] : ['The backup is not encrypted. Set BACKUP_PASSPHRASE to encrypt it.']),
  ]
}

/** An existing key may belong to another database, so it is renamed instead of overwritten. */
export function bringSecretKey({ secretKey, dataDir }: Settings, extras: Record<string, string>, say: Say) {
  const key = extras.secret_key
  if (!key || key === secretKey) return
  const file = fileIn(dataDir)
  if (existsSync(file)) {
    if (readFileSync(file, 'utf8').trim() === key) return
    const aside = `${file}.before-restore-${Date.now()}`
    renameSync(file, aside)
    say(`Renamed the existing secret key to ${aside}`)
  }
  writeSecretKey(dataDir, key)
  if (secretKey) say(`Restored the secret key of the backup to ${file}. Start Kith without SECRET_KEY.`)
}

/** Advice for a key that does not decrypt the restored secrets. */
export async function adviceOnMissingKey(config: Settings, connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ value: string }>("select value from installation where name = 'vault'")
  await client.end()
  const key = findKey(config)
  if (!rows[0] || (key && createVault(key).fingerprint === rows[0].value)) return null
  return (
    'The backup does not contain the secret key, and this installation does not have the right key.\n' +
    `Before you start Kith, copy secret.key from the previous installation to ${fileIn(config.dataDir)}, or set SECRET_KEY to its content.\n` +
    'If that key is lost, start once with FORGET_SECRETS=1. This deletes mail passwords, two-factor sign-in and the signing secrets of webhooks, and keeps everything else.'
  )
}
