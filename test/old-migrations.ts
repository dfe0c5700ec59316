import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsFolder } from '../server/platform/migrate.ts'

/** The migrations of version 0.1, to make a database as it left one. */
export function oldMigrations() {
  const folder = mkdtempSync(join(tmpdir(), 'kith-migrations-0.1-'))
  for (const name of readdirSync(migrationsFolder).filter((name) => name < '0007'))
    copyFileSync(join(migrationsFolder, name), join(folder, name))
  return folder
}
