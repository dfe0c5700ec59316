// What `npm start` runs.
import { networkInterfaces } from 'node:os'
import { type Config, readConfig } from './platform/config.ts'
import { untilStopped } from './platform/process.ts'
import { startKith } from './start.ts'

await untilStopped(async (say) => {
  const config = readConfig(process.env)
  const kith = await startKith(config, say)
  console.log(`\n  Kith is ready at ${config.baseUrl.origin}\n${firstVisit(config, kith.setUpToken)}`)
  return kith
})

function firstVisit(config: Config, token: string | null) {
  if (!token) return ''
  const link = `${elsewhere(config)}/set-up#token=${token}`
  return `
  First visit: open it on this machine and create your company.
  From anywhere else, or if it asks for it, use this one-time link: ${link}
`
}

/** The address under which another machine reaches us, as far as we can tell. */
function elsewhere({ baseUrl, host, port }: Config) {
  const opened = host === '0.0.0.0' || host === '::'
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const lan = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  return opened && baseUrl.hostname === 'localhost' && lan ? `http://${lan}:${port}` : baseUrl.origin
}
