// Finds out whether a PostgreSQL process is running and belongs to a cluster, and stops it.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const stopSeconds = 60

/** The process that runs a cluster, from its lock file. */
export function readLockFile(cluster: string) {
  let lines: string[]
  try {
    lines = fs.readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    // No process runs it.
    return
  }
  const pid = Number(lines[0])
  if (!pid) return
  return { pid, socket: lines[4] ?? '', isOurs: exists(pid) && worksIn(pid, cluster) }
}

export function exists(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function until(condition: () => boolean, seconds: number) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end && !condition(); ) await sleep(20)
  return condition()
}

/** The working directory distinguishes PostgreSQL from another program that got the same process id. */
function worksIn(pid: number, cluster: string) {
  if (process.platform !== 'linux') return true
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster)
  } catch {
    // The process has ended or is of another user, so it is another program.
    return false
  }
}

export async function stopProcess(pid: number) {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!exists(pid)) return
    process.kill(pid, signal)
    if (await until(() => !exists(pid), stopSeconds / 2)) return
  }
}
