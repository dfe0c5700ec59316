// What `npm start` runs.

import { readConfig } from './kernel/config.ts'
import { untilStopped } from './kernel/process.ts'
import { startKith } from './start.ts'

await untilStopped(async (say) => {
  const config = readConfig(process.env)
  const kith = await startKith(config, say)
  console.log(`\n  Kith is ready at ${config.baseUrl.origin}\n`)
  if (kith.setUpToken) {
    console.log('  First visit: open it on this machine and create your company.')
    console.log(
      `  From another machine, use this link once: ${config.baseUrl.origin}/set-up#token=${kith.setUpToken}\n`,
    )
  }
  return kith
})
