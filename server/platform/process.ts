import { StartError } from './config.ts'

const write = (text: string) => process.stdout.write(`  ${text}\n`)
// Whoever read our output may be gone (`npm start | head`); that is no reason to fall over.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Runs until a signal asks it to stop, then stops in order. A second signal does not wait. */
export async function untilStopped(start: (say: (text: string) => void) => Promise<{ stop(): Promise<void> }>) {
  const stopping = Promise.withResolvers<void>()
  let askedAt = 0
  const ask = () => {
    // Ctrl-C arrives from the terminal and again from the parent; only a later one means impatience.
    if (askedAt && Date.now() - askedAt > 1000) process.exit(130)
    askedAt ||= Date.now()
    stopping.resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  process.on('disconnect', ask)
  process.channel?.unref()
  try {
    const running = await start(write)
    await stopping.promise
    write('Stopping')
    await running.stop()
    write('Stopped')
    process.exit(0)
  } catch (error) {
    process.stderr.write(`\n  ${explain(error as NodeJS.ErrnoException).replaceAll('\n', '\n  ')}\n\n`)
    process.exit(1)
  }
}

/** What the reader can mend is said plainly; only a fault of ours shows its stack. */
function explain(error: NodeJS.ErrnoException) {
  if (error instanceof StartError) return error.message
  if (error.code && error.path)
    return `${error.path} cannot be used (${error.code}). Check DATA_DIR and who may write there.`
  return String(error.stack)
}
