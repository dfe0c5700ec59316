// The temporary folder of one test run: everything that tests write, and what the run tells about itself.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Parts = Record<string, { count: number; ms: number }>
export type RunResult = { durations: Record<string, number>; retried: number }

export const resultFile = 'result.json'
export const partsFile = 'parts.jsonl'
const mostWaitMs = 10_000

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
    async remove() {
      // PostgreSQL ends its own processes, if it is asked.
      for (const { pid, command } of processesOf(path)) kill(pid, command.includes('postgres') ? 'SIGQUIT' : 'SIGKILL')
      for (const end = Date.now() + mostWaitMs; processesOf(path).length && Date.now() < end; ) await sleep(50)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** What a run that was cut short left behind: processes with its folder in their arguments or environment. */
function processesOf(folder: string) {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!pid || pid === process.pid) return []
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      const isOurs = command.includes(folder) || readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder)
      return isOurs ? [{ pid, command }] : []
    } catch {
      // It has ended, or belongs to someone else.
      return []
    }
  })
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
