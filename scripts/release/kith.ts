// Runs any version of Kith in its own process, with a clock that we set.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Running = Awaited<ReturnType<typeof startProgram>>
type Program = { root: string; name: 'main' | 'worker'; seed: string; time: Date; env: Record<string, string> }

const preloaded = { main: ['steady.ts'], worker: ['steady.ts', 'one-at-a-time.ts'] }

export async function startProgram({ root, name, seed, time, env }: Program) {
  const child = spawn(
    process.execPath,
    [...preloaded[name].flatMap((file) => ['--import', join(import.meta.dirname, file)]), join('server', `${name}.ts`)],
    {
      cwd: root,
      env: { PATH: process.env.PATH!, TZ: 'UTC', STEADY_SEED: seed, STEADY_TIME: time.toISOString(), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  const exited = once(child, 'exit')
  await until(child, / is ready/)
  return {
    async setTime(time: Date) {
      const set = once(child, 'message')
      child.send(time.getTime())
      await set
    },
    /** It does nothing until it is resumed, not even on a timer. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const [code] = await exited
      if (code !== 0) throw new Error(`server/${name}.ts ended with ${code}`)
    },
  }
}

function until(child: ChildProcess, sign: RegExp) {
  return new Promise<void>((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text) => {
        output += text
        if (sign.test(output)) resolve()
      })
    child.once('exit', () => reject(new Error(`Kith did not start:\n${output}`)))
  })
}
