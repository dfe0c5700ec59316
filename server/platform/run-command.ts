// Runs a command. Exit codes: 0 success, 1 failure, 130 stopped by the user.
import pg from 'pg'
import { StartError } from './config.ts'
import { isUnavailable } from './db.ts'
import { whenAskedToStop } from './run-until-stopped.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** When the user stops the command, `signal` aborts and the work must be rolled back. */
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

/** Only unexpected errors show their stack trace. */
function explain(error: NodeJS.ErrnoException) {
  if (error instanceof StartError) return error.message
  if (error instanceof pg.DatabaseError || isUnavailable(error))
    return `The database rejected the operation. Nothing was changed: ${error.message}`
  if (error.syscall)
    return `${error.path ?? 'The file'} cannot be used (${error.code}). Check the path, permissions and disk space.`
  return String(error.stack)
}
