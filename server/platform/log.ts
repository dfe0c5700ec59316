import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
// @ts-expect-error The package has no types.
import roll from 'pino-roll'
import type { Config } from './config.ts'

export type Log = pino.Logger

type Settings = Pick<Config, 'log' | 'dataDir'> & Partial<Pick<Config, 'logLevel'>>

/**
 * Writes JSON lines to DATA_DIR/logs, or to standard output for log collectors. Each process has files of its own there,
 * because each removes its oldest.
 */
export async function createLog({ log, dataDir, logLevel = 'info' }: Settings, name = 'kith'): Promise<Log> {
  if (log === 'off') return pino({ level: 'silent' })
  const options: pino.LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describe },
  }
  // Written in batches, at the latest after a second, because a system call per line would cost more than the line.
  const batches = { sync: false, minLength: 16_000, periodicFlush: 1000 }
  if (log === 'stdout') return pino(options, pino.destination({ dest: 1, ...batches }))
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'logs', `${name}.log`)
  return pino(options, await roll({ file, size: '20m', limit: { count: 5 }, mode: 0o600, ...batches }))
}

type Described = Error & { code?: string; routine?: string; constraint?: string; table?: string; column?: string }

/** Messages and details of PostgreSQL may contain values, so only codes and names are logged. */
export function describe(error: Described) {
  const { name: type, code, message, stack } = error
  if (!isFromPostgres(error)) return { type, code, message, stack }
  const { routine, constraint, table, column } = error
  const calls = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { type, code, routine, constraint, table, column, stack: calls?.join('\n') }
}

// Cannot check the class, because the job queue reports copies.
const isFromPostgres = (error: object) => 'severity' in error && 'routine' in error
