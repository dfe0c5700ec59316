import { StartError } from './config.ts'

const write = (text: string) => process.stdout.write(`  ${text}\n`)
// The reader of our output may have closed it (`npm start | head`), which must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** A second signal ends the process immediately. */
export function whenAskedToStop(stop: () => void) {
  let askedAt = 0
  const ask = () => {
    // Ctrl-C arrives twice, from the terminal and from the parent. Only a later signal forces the end.
    if (askedAt && Date.now() - askedAt > 1000) process.exit(130)
    askedAt ||= Date.now()
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  process.on('disconnect', ask)
  process.channel?.unref()
}

type Say = (text: string) => void
type Start = (say: Say) => Promise<{ stop(): Promise<void> }>

/** Runs until a signal arrives, then stops cleanly. One of several processes leaves the reporting to the first. */
export async function untilStopped(start: Start, say: Say = write) {
  const stopping = Promise.withResolvers<void>()
  whenAskedToStop(stopping.resolve)
  try {
    const running = await start(say)
    await stopping.promise
    say('Stopping')
    await running.stop()
    say('Stopped')
    process.exit(0)
  } catch (error) {
    process.stderr.write(`\n  ${explain(error as NodeJS.ErrnoException).replaceAll('\n', '\n  ')}\n\n`)
    process.exit(1)
  }
}

/** Only unexpected errors show their stack trace. */
function explain(error: NodeJS.ErrnoException) {
  if (error instanceof StartError) return error.message
  if (error.code && error.path)
    return `${error.path} cannot be used (${error.code}). Check DATA_DIR and its permissions.`
  return String(error.stack)
}
