// The programs that tests need beside Node: installed once, before the first test, where we may.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { isBrowserThere } from './chromium.ts'

export const dovecot = '/usr/sbin/dovecot'
export const isDovecotThere = () =>
  existsSync(dovecot) && existsSync('/usr/lib/dovecot/imap') && existsSync('/usr/lib/dovecot/lmtp')

/** Debian's packages for what is missing. */
const missing = () => [
  ...(isBrowserThere() ? [] : ['chromium-headless-shell']),
  ...(isDovecotThere() ? [] : ['dovecot-imapd', 'dovecot-lmtpd']),
]

export const installMissing = () => install(missing())

export async function install(packages: string[]) {
  if (!packages.length || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  // At this level, Debian does not start the servers that it installs.
  const quiet = { env: { ...process.env, TMPDIR: '/tmp', DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } }
  // Another run may be installing, too.
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  const apt = (...args: string[]) => promisify(execFile)('apt-get', [...args, ...patient], quiet)
  await apt('update').catch(() => {})
  await apt('install', '-y', '--no-install-recommends', ...packages).catch((error: Error) => {
    process.stdout.write(`Could not install ${packages.join(', ')}: ${error.message}\n`)
  })
}
