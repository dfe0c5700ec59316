// The gzipped size of the scripts that a page needs, by the build's manifest. `node bench/web-script.ts` prints it.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'dist', 'web')
type Manifest = Record<string, { file: string; name?: string; imports?: string[] }>

/** Everything that a first visit to the page loads before it is usable, and the most that it may be. */
const pages = {
  'sign-in': { parts: ['entry'], most: 288_000 },
  api: { parts: ['frame', 'api-page'], most: 440_000 },
  dashboard: { parts: ['frame', 'dashboard'], most: 463_000 },
  list: { parts: ['frame', 'list'], most: 477_000 },
  record: { parts: ['frame', 'record'], most: 608_000 },
  inbox: { parts: ['frame', 'inbox'], most: 490_000 },
}

export const pageScripts = () =>
  Object.entries(pages).map(([page, { parts, most }]) => ({ page, most, ...scriptsOf(parts) }))

export function scriptsOf(parts: string[]) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const starts = Object.keys(manifest).filter((key) => ['index', ...parts].includes(manifest[key]!.name ?? ''))
  const files = new Set(starts.flatMap((start) => [...importedBy(manifest, start)]))
  return {
    files: files.size,
    size: [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0),
  }
}

/** Its own script and all that it imports. Scripts that are imported later are no part of it. */
function importedBy(manifest: Manifest, part: string, files = new Set<string>()) {
  const { file, imports = [] } = manifest[part]!
  if (files.has(file)) return files
  files.add(file)
  for (const one of imports) importedBy(manifest, one, files)
  return files
}

if (import.meta.main)
  for (const { page, files, size, most } of pageScripts())
    console.log(`${page.padEnd(10)} ${(size / 1000).toFixed(0)} kB of at most ${most / 1000} kB, in ${files} files`)
