// Chromium of the machine, or Debian's where we may install it (packages.ts).
import { existsSync } from 'node:fs'

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

const found = () => [process.env.CHROMIUM ?? '', ...places].find((path) => path && existsSync(path))

export const isBrowserThere = () => found() !== undefined

/** Never a reason to skip a test: without one the tests fail and say what to install. */
export function findBrowser() {
  const path = found()
  if (path) return path
  throw new Error('The tests of the web app need Chromium. Install it, or set CHROMIUM to its path.')
}
