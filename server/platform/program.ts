// A program that does one thing and ends: 0 done, 1 refused or failed, 130 stopped by its user.
import pg from 'pg'
import { StartError } from './config.ts'
import { isUnavailable } from './db.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** Asked to stop, it undoes what it has begun. A second signal does not wait. */
export async function runProgram(
  stopped: string,
  work: (terminal: Terminal, signal: AbortSignal) => Promise<string>,
): Promise<never> {
  const stopping = new AbortController()
  const terminal = createTerminal()
  let askedAt = 0
  const ask = () => {
    // Ctrl-C arrives from the terminal and again from the parent; only a later one means impatience.
    if (askedAt && Date.now() - askedAt > 1000) process.exit(130)
    askedAt ||= Date.now()
    stopping.abort()
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  process.on('disconnect', ask)
  process.channel?.unref()
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
