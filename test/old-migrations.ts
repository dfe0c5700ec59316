import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsFolder } from '../server/platform/migrate.ts'

/** The migrations before another one, to make a database as it was then. By default, those of version 0.1. */
export function oldMigrations(before = '0007') {
  const folder = mkdtempSync(join(tmpdir(), 'kith-migrations-'))
  for (const name of readdirSync(migrationsFolder).filter((name) => name < before))
    copyFileSync(join(migrationsFolder, name), join(folder, name))
  return folder
}
