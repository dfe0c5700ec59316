// A program that does one thing and ends: 0 done, 1 refused or failed, 130 stopped by its user.
import pg from 'pg'
import { StartError } from './config.ts'
import { isUnavailable } from './db.ts'
import { whenAskedToStop } from './process.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** Asked to stop, it undoes what it has begun. */
export async function runProgram(
  stopped: string,
  work: (terminal: Terminal, signal: AbortSignal) => Promise<string>,
): Promise<never> {
  const stopping = new AbortController()
  const terminal = createTerminal()
  whenAskedToStop(() => stopping.abort())
  try {
    terminal.say(await work(terminal, stopping.signal))
    process.exit(0)
  } catch (error) {
    terminal.end()
    const text = stopping.signal.aborted ? stopped : explain(error as NodeJS.ErrnoException)
    process.stderr.write(`\n  ${text.replaceAll('\n', '\n  ')}\n\n`)
    process.exit(stopping.signal.aborted ? 130 : 1)
  }
}

/** What the reader can mend is said plainly; only a fault of ours shows its stack. */
function explain(error: NodeJS.ErrnoException) {
  if (error instanceof StartError) return error.message
  if (error instanceof pg.DatabaseError || isUnavailable(error))
    return `The database did not go along, and nothing was changed: ${error.message}`
  if (error.syscall)
    return `${error.path ?? 'The file'} cannot be used (${error.code}). Check the path, the rights and the space.`
  return String(error.stack)
}
