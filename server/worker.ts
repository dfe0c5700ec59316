// npm run worker
import { readConfig } from './platform/config.ts'
import { untilStopped } from './platform/run-until-stopped.ts'
import { startWorkerAlone } from './start.ts'

await untilStopped(async (say) => {
  const worker = await startWorkerAlone(readConfig(process.env), say)
  console.log('\n  The Kith worker is ready.\n')
  return worker
})
