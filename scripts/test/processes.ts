// The CPU time of the run by kind of process, sampled from /proc: processes come and go too fast to be asked at their end.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** In order: the first that fits the command line names the kind. */
const kinds: [string, RegExp][] = [
  ['browser: pages', /--type=renderer/],
  ['browser: rest', /chrom(e|ium)/],
  ['PostgreSQL', /^postgres|\/postgres\b|initdb|pg_ctl/],
  ['Dovecot', /dovecot/],
  ['types (tsc)', /\btsc\b/],
  ['format and lint (biome)', /biome/],
  ['secrets (secretlint)', /secretlint/],
  ['web build (vite)', /\bvite\b/],
  ['packages (npm, apt)', /\bnpm\b|apt-get|dpkg/],
  ['Kith in processes', /server\/[\w/-]+\.ts|kith-server/],
  ['test workers', /vitest[^ ]*\/workers?\b|workers\/forks|tinypool/],
  ['vitest itself', /vitest/],
]

const ticksPerSecond = 100

type Seen = { kind: string; ticks: number }

function look(seen: Map<string, Seen>, isRoot: (pid: number) => boolean) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map<number, number>()
  const stats: { pid: number; start: string; ticks: number }[] = []
  for (const name of all) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      parents.set(Number(name), Number(fields[1]))
      stats.push({ pid: Number(name), start: fields[19]!, ticks: Number(fields[11]) + Number(fields[12]) })
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => pid > 1 && (isRoot(pid) || isOurs(parents.get(pid) ?? 0))
  for (const { pid, start, ticks } of stats) {
    const id = `${pid} ${start}`
    const known = seen.get(id)
    if (known) known.ticks = ticks
    else if (isOurs(pid)) seen.set(id, { kind: kindOf(pid), ticks })
  }
}

const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
const kindOf = (pid: number) => kinds.find(([, fits]) => fits.test(commandOf(pid)))?.[0] ?? 'other'

/**
 * Watches this process and all that it started, until the function it returns is called, which tells the CPU seconds by
 * kind. What left its parent, as PostgreSQL does, is known by the folder of the run.
 */
export function watchProcesses(folder: string) {
  if (!existsSync('/proc/self/stat')) return () => new Map<string, number>()
  const isRoot = (pid: number) => pid === process.pid || commandOf(pid).includes(folder)
  const seen = new Map<string, Seen>()
  const timer = setInterval(() => look(seen, isRoot), 500)
  timer.unref()
  return () => {
    clearInterval(timer)
    look(seen, isRoot)
    const sums = new Map<string, number>()
    for (const { kind, ticks } of seen.values()) sums.set(kind, (sums.get(kind) ?? 0) + ticks / ticksPerSecond)
    return sums
  }
}
