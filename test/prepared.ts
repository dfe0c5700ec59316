// A data folder as the first start of Kith leaves it, made once per run (global-setup.ts).
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const prepared = join(tmpdir(), 'prepared')

/** With owners and permissions, as PostgreSQL needs them. */
export const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
