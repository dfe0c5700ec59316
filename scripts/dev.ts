// Runs the server, restarted when its sources change, and Vite in front of it for the web app.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const server = spawn(process.execPath, ['--watch-path=server', '--watch-path=contract', 'server/main.ts'], {
  stdio: 'inherit',
})
const web = spawn(process.execPath, [join('node_modules', '.bin', 'vite')], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => [server, web].map((child) => child.kill(signal)))
