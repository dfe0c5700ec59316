// The temporary folder of one test run: everything that tests write, and what the run tells about itself.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Parts = Record<string, { count: number; ms: number }>
export type RunResult = { durations: Record<string, number>; retried: number }

export const resultFile = 'result.json'
export const partsFile = 'parts.jsonl'

/** Its name is short, because paths of sockets are. */
export function openRunFolder() {
  const path = mkdtempSync(join(tmpdir(), 'kt-'))
  chmodSync(path, 0o755)
  const read = (name: string) => {
    const file = join(path, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  return {
    path,
    result: (): RunResult => JSON.parse(read(resultFile) ?? '{ "durations": {}, "retried": 0 }'),
    /** A line per test file. */
    parts: () => (read(partsFile)?.trim().split('\n') ?? []).map((line): Parts => JSON.parse(line)),
    remove() {
      endProcesses(path)
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Ends what a run that was cut short left behind: processes with its folder in their arguments or environment. */
function endProcesses(folder: string) {
  if (!existsSync('/proc/self/environ')) return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!pid || pid === process.pid) continue
    try {
      const [command, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${name}/${file}`, 'utf8'))
      if (!command!.includes(folder) && !environment!.includes(folder)) continue
      // PostgreSQL ends its own processes, if it is asked.
      process.kill(pid, command!.includes('postgres') ? 'SIGQUIT' : 'SIGKILL')
    } catch {
      // It has ended, or belongs to someone else.
    }
  }
}
