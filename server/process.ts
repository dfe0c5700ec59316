// One of several server processes, started by processes.ts.
import { once } from 'node:events'
import { readConfig } from './platform/config.ts'
import { joinDatabase } from './platform/open-database.ts'
import { untilStopped } from './platform/run-until-stopped.ts'
import type { Orders, Said } from './processes.ts'
import { openLog, serve } from './start.ts'

const silent = () => {}
const say = (said: Said) => process.send!(said)

const told = once(process, 'message') as Promise<[Orders]>
say('waiting')
const [{ name, setUpToken }] = await told
await untilStopped(async () => {
  await using building = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const database = await joinDatabase(config)
  building.defer(database.stop)
  const log = await openLog(config, name, building)
  // The first process asks for them.
  const metrics = config.metricsPort ? (await import('./metrics/metrics.ts')).createMetrics() : undefined
  const { stop } = await serve(config, database, { log, setUpToken, metrics })
  building.defer(stop)
  const running = building.move()
  say('ready')
  return { stop: () => running.disposeAsync() }
}, silent)
