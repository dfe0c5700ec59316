import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './config.ts'

const nobody = 65534
const asNobody = ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`]

/** How to run PostgreSQL's programs: it refuses to run as root, so root has to step down first. */
export type PostgresUser = {
  command(program: string, args: string[]): { program: string; args: string[]; uid?: number; gid?: number }
  /** Makes sure that PostgreSQL can reach these paths. */
  reach(...paths: string[]): void
  /** Hands a folder over where PostgreSQL runs under another user id. */
  own(folder: string): void
}

const itself: PostgresUser = { command: (program, args) => ({ program, args }), reach: () => {}, own: () => {} }

export function postgresUser(isRoot = process.getuid?.() === 0, namespaces = hasUserNamespaces): PostgresUser {
  if (!isRoot) return itself
  // In a user namespace PostgreSQL sees itself as nobody while the files stay root's, even in a root-only folder.
  if (namespaces())
    return { ...itself, command: (program, args) => ({ program: 'unshare', args: [...asNobody, program, ...args] }) }
  return {
    command: (program, args) => ({ program, args, uid: nobody, gid: nobody }),
    reach: refuseUnreachable,
    own: handOver,
  }
}

const hasUserNamespaces = () => spawnSync('unshare', [...asNobody, 'true']).status === 0

function refuseUnreachable(...paths: string[]) {
  for (const path of paths) {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      if (statSync(at).mode & 0o001) continue
      throw new StartError(
        `PostgreSQL does not run as root, and the user "nobody" cannot reach ${path}: ${at} is closed to others.\n` +
          'Start Kith as an ordinary user, move it (or DATA_DIR) to a folder that others may pass through, or set DATABASE_URL.',
      )
    }
  }
}

function handOver(folder: string) {
  chownSync(folder, nobody, nobody)
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isDirectory()) handOver(path)
    else chownSync(path, nobody, nobody)
  }
}
