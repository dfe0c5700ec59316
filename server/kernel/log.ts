import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
// @ts-expect-error The package brings no types.
import roll from 'pino-roll'
import type { Config } from './config.ts'

export type Log = pino.Logger

type Settings = Pick<Config, 'log' | 'dataDir'> & Partial<Pick<Config, 'logLevel'>>

/** Structured lines: into DATA_DIR/logs by default, to standard output for those who collect it there. */
export async function createLog({ log, dataDir, logLevel = 'info' }: Settings): Promise<Log> {
  if (log === 'off') return pino({ level: 'silent' })
  const options: pino.LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describe },
  }
  // Written in batches, at the latest after a second: one system call a line would cost more than the line.
  const batches = { sync: false, minLength: 16_000, periodicFlush: 1000 }
  if (log === 'stdout') return pino(options, pino.destination({ dest: 1, ...batches }))
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'logs', 'kith.log')
  return pino(options, await roll({ file, size: '20m', limit: { count: 5 }, mode: 0o600, ...batches }))
}

// PostgreSQL puts row values into an error's detail, so only what cannot hold data is written.
function describe(error: Error & { code?: string }) {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack }
}
