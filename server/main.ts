// npm start
import { networkInterfaces } from 'node:os'
import { type Config, readConfig } from './platform/config.ts'
import { untilStopped } from './platform/run-until-stopped.ts'
import { startProcesses } from './processes.ts'
import { startKith } from './start.ts'

await untilStopped(async (say) => {
  const config = readConfig(process.env)
  const isAlone = config.processes === 1
  if (isAlone)
    process.on('SIGUSR2', () => say('One process cannot restart without interruption. Set WEB_CONCURRENCY=2'))
  const kith = await (isAlone ? startKith : startProcesses)(config, say)
  console.log(`\n  Kith is ready at ${config.baseUrl.origin}\n${firstVisit(config, kith.setUpToken)}`)
  if (!isAlone)
    say(`${config.processes} server processes. To restart them without interruption: kill -USR2 ${process.pid}\n`)
  return kith
})

function firstVisit(config: Config, token: string | null) {
  if (!token) return ''
  const link = `${publicAddress(config)}/set-up#token=${token}`
  return `
  First visit: open this address on this machine and create your company.
  From another machine, or if Kith asks for it, use this one-time link: ${link}
`
}

/** The address at which other machines probably reach this server. */
function publicAddress({ baseUrl, host, port }: Config) {
  const opened = host === '0.0.0.0' || host === '::'
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const lan = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  return opened && baseUrl.hostname === 'localhost' && lan ? `http://${lan}:${port}` : baseUrl.origin
}
