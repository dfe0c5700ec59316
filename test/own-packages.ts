// Programs of others that have a package.json and a lock file of their own, away from those that Kith uses.
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'

/** Installs the packages of this folder in a new one. */
export async function ownPackages(from: string) {
  const folder = mkdtempSync(join(tmpdir(), `kith-${basename(from)}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(resolve(from, file), join(folder, file))

  async function run(file: string, args: string[], { cwd = folder, env = {} }: { cwd?: string; env?: object } = {}) {
    const options = { cwd, env: { ...process.env, ...env } }
    return promisify(execFile)(file, args, options).catch(({ stdout, stderr }) =>
      expect.fail(`${args.join(' ')}\n${stdout}\n${stderr}`.slice(0, 4000)),
    )
  }
  const inPackage = (file: string) => join(folder, 'node_modules', file)
  await run('npm', ['ci', '--loglevel=error'])
  return {
    folder,
    run,
    inPackage,
    launch: (file: string, args: string[]) => spawn(process.execPath, [inPackage(file), ...args], { stdio: 'ignore' }),
  }
}
