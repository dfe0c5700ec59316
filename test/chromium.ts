// Chromium of the machine, or Debian's where we may install it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The shell without a window does the same as the whole browser in two thirds of the time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Pages of one context share a renderer.
  '--process-per-site',
]

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Where the browser is. Never a reason to skip a test: without one the tests fail and say what to install. */
export function findBrowser() {
  const found = () => [process.env.CHROMIUM ?? '', ...places].find((path) => path && existsSync(path))
  if (found()) return found()!
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    // One worker installs it while the others wait.
    const install = 'apt-get update -qq && apt-get install -y -qq chromium-headless-shell'
    execFileSync('flock', [join(tmpdir(), 'apt.lock'), 'sh', '-c', `test -e ${places[0]} || { ${install}; }`], quiet)
  }
  if (found()) return found()!
  throw new Error('The tests of the web app need Chromium. Install it, or set CHROMIUM to its path.')
}
