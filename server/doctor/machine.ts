// What lies on this machine: Node, the packages, the web app, the data folder.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { canRunKith, neededNode } from '../../scripts/node-version.mjs'
import { type Config, StartError } from '../platform/config.ts'
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

/** Versions in package.json are exact, so that what is installed can be compared with them. */
export function checkPackages(): Finding {
  const wanted = Object.entries(readJson<{ dependencies: Record<string, string> }>('package.json').dependencies)
  const wrong = wanted.filter(([name, version]) => {
    const file = join('node_modules', name, 'package.json')
    return !existsSync(join(root, file)) || readJson<{ version: string }>(file).version !== version
  })
  if (!wrong.length) return ok('Packages', `${wanted.length} as wanted`)
  const names = wrong.map(([name]) => name).join(', ')
  return failed('Packages', `Missing or of another version: ${names}`, 'Run npm ci.')
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8'))

export function checkWebApp(folder = webFolder): Finding {
  const file = join(folder, 'index.html')
  const advice = 'Run npm start, which builds it.'
  if (!existsSync(file)) return failed('Web app', 'It is not built', advice)
  const named = [...readFileSync(file, 'utf8').matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]!)
  const missing = named.filter((name) => !existsSync(join(folder, name)))
  if (!missing.length) return ok('Web app', 'It is built')
  return failed('Web app', `Files of the built web app are missing: ${missing.join(', ')}`, `Delete dist/. ${advice}`)
}

export function checkConfig(read: () => Config): { config: Config | null; finding: Finding } {
  try {
    const config = read()
    const database = config.databaseUrl ? 'DATABASE_URL' : 'a database of its own'
    return { config, finding: ok('Settings', `${config.baseUrl.origin}, ${database}`) }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const advice = 'Correct them where you set them. Nothing else was looked at.'
    return { config: null, finding: failed('Settings', error.message, advice) }
  }
}

export function checkDataFolder({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const check = 'Data folder'
  if (!existsSync(dataDir)) {
    return warning(check, `${dataDir} is not there`, 'npm start makes it. If Kith ran before, check DATA_DIR.')
  }
  try {
    rmSync(mkdtempSync(join(dataDir, '.doctor-')), { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const advice = 'Let the user that runs Kith own it, and run the doctor as that user.'
    return failed(check, `${dataDir} cannot be written to (${code})`, advice)
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const found = `${dataDir}, ${sizeOf(free)} free`
  if (free >= space.warning) return ok(check, found)
  const advice = 'Make room on this disk: without it nothing can be saved.'
  return free < space.failed ? failed(check, found, advice) : warning(check, found, advice)
}
