import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './config.ts'

const nobody = 65534
const asNobody = ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`]

/** How to run the programs of PostgreSQL, which refuse to run as root. */
export type PostgresUser = {
  command(program: string, args: string[]): { program: string; args: string[]; uid?: number; gid?: number }
  /** Makes sure that PostgreSQL can reach these paths. */
  reach(...paths: string[]): void
  /** Gives a folder to PostgreSQL if it runs under another user id. */
  own(folder: string): void
}

const itself: PostgresUser = { command: (program, args) => ({ program, args }), reach: () => {}, own: () => {} }

export function postgresUser(isRoot = process.getuid?.() === 0, namespaces = hasUserNamespaces): PostgresUser {
  if (!isRoot) return itself
  // In a user namespace PostgreSQL runs as nobody but can still read files of root, even in a root-only folder.
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
        `PostgreSQL cannot run as root, and the user "nobody" has no access to ${path}: ${at} is not accessible to other users.\n` +
          'Start Kith as a regular user, move it (or DATA_DIR) to a folder that other users can access, or set DATABASE_URL.',
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
