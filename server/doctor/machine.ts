// Checks this machine: Node, the packages, the web app and the data folder.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { canRunKith, neededNode } from '../../scripts/node-version.mjs'
import type { Config } from '../platform/config.ts'
import { sizeOf } from '../platform/terminal.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const root = join(import.meta.dirname, '..', '..')
export const webFolder = join(root, 'dist', 'web')
const space = { failed: 200e6, warning: 2e9 }

export function checkNode(): Finding {
  const { node } = process.versions
  if (canRunKith(node)) return ok('Node', node)
  return failed('Node', `${node} cannot run Kith`, `Install ${neededNode}.`)
}

/** Versions in package.json are exact, so that they can be compared with the installed ones. */
export function checkPackages(): Finding {
  const wanted = Object.entries(readJson<{ dependencies: Record<string, string> }>('package.json').dependencies)
  const wrong = wanted.filter(([name, version]) => {
    const file = join('node_modules', name, 'package.json')
    return !existsSync(join(root, file)) || readJson<{ version: string }>(file).version !== version
  })
  if (!wrong.length) return ok('Packages', `All ${wanted.length} are installed`)
  const names = wrong.map(([name]) => name).join(', ')
  return failed('Packages', `Missing or wrong version: ${names}`, 'Run npm ci.')
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8'))

export function checkWebApp(folder = webFolder): Finding {
  const file = join(folder, 'index.html')
  const advice = 'Run npm start to build it.'
  if (!existsSync(file)) return failed('Web app', 'Not built', advice)
  const named = [...readFileSync(file, 'utf8').matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]!)
  const missing = named.filter((name) => !existsSync(join(folder, name)))
  if (!missing.length) return ok('Web app', 'Built')
  return failed('Web app', `Files of the web app are missing: ${missing.join(', ')}`, `Delete dist/. ${advice}`)
}

export function checkDataFolder({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const check = 'Data folder'
  if (!existsSync(dataDir)) {
    return warning(check, `${dataDir} does not exist`, 'npm start creates it. If Kith ran before, check DATA_DIR.')
  }
  try {
    rmSync(mkdtempSync(join(dataDir, '.doctor-')), { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const advice = 'Make the user that runs Kith its owner, and run the doctor as that user.'
    return failed(check, `${dataDir} is not writable (${code})`, advice)
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const found = `${dataDir}, ${sizeOf(free)} free`
  if (free >= space.warning) return ok(check, found)
  const advice = 'Free up space on this disk. Kith cannot save anything when it is full.'
  return free < space.failed ? failed(check, found, advice) : warning(check, found, advice)
}
