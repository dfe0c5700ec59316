// The gzipped size of the scripts that a page needs, by the build's manifest. `node bench/web-script.ts` prints it, and
// `--parts` what they consist of.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const folder = join(import.meta.dirname, '..', 'dist', 'web')
type Manifest = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>

/** Everything that a first visit to the page loads before it is usable, and the most that it may be. */
const pages = {
  'sign-in': { parts: ['entry'], most: 236_000 },
  api: { parts: ['frame', 'api-page'], most: 398_000 },
  dashboard: { parts: ['frame', 'dashboard'], most: 415_000 },
  list: { parts: ['frame', 'list'], most: 441_000 },
  record: { parts: ['frame', 'record'], most: 415_000 },
  inbox: { parts: ['frame', 'inbox'], most: 453_000 },
  'lead-sending': { parts: ['frame', 'lead-sending'], most: 432_000 },
}

export const pageScripts = () =>
  Object.entries(pages).map(([page, { parts, most }]) => ({ page, most, ...scriptsOf(parts) }))

export function scriptsOf(parts: string[]) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const starts = Object.keys(manifest).filter((key) => ['index', ...parts].includes(manifest[key]!.name ?? ''))
  const chunks = [...new Set(starts.flatMap((start) => [...importedBy(manifest, start)]))].map((key) => manifest[key]!)
  const scripts = new Set(chunks.map(({ file }) => file))
  return {
    scripts,
    files: scripts.size,
    size: gzipped(scripts),
    styles: gzipped(new Set(chunks.flatMap(({ css = [] }) => css))),
  }
}

const gzipped = (files: Set<string>) =>
  [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0)

/** Its own script and all that it imports. Scripts that are imported later are no part of it. */
function importedBy(manifest: Manifest, part: string, found = new Set<string>()) {
  if (found.has(part)) return found
  found.add(part)
  for (const one of manifest[part]!.imports ?? []) importedBy(manifest, one, found)
  return found
}

/** What each script consists of. Builds once more: a finished build does not say which module went where. */
async function partsOfScripts() {
  const config = join(folder, '..', '..', 'vite.config.ts')
  const { output } = (await build({
    configFile: config,
    logLevel: 'error',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  return new Map(output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, partsOf(chunk)] as const] : [])))
}

/** By package, or by folder of ours. Compression works on the whole, so each part gets its share of the whole. */
function partsOf({ modules, code }: Rolldown.OutputChunk) {
  const groups = Object.groupBy(Object.entries(modules), ([id]) => packageOf(id))
  const alone = Object.entries(groups).map(
    ([name, all = []]) => [name, gzipSync(all.map(([, { code }]) => code ?? '').join('')).length] as const,
  )
  const share = gzipSync(code).length / alone.reduce((sum, [, size]) => sum + size, 0)
  return alone.map(([name, size]) => [name, size * share] as const)
}

const packageOf = (id: string) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(id)?.[1] ??
  /\/((?:web|contract)(?:\/[^/]+){0,2})\//.exec(id)?.[1] ??
  'other'

async function printParts() {
  const parts = await partsOfScripts()
  const print = (title: string, scripts: Iterable<string>) => {
    const sums = new Map<string, number>()
    for (const file of scripts)
      for (const [name, size] of parts.get(file) ?? []) sums.set(name, (sums.get(name) ?? 0) + size)
    const lines = [...sums].sort(([, a], [, b]) => b - a).filter(([, size]) => size > 500)
    console.log(`\n${title}\n${lines.map(([name, size]) => `${inKb(size).padStart(9)} ${name}`).join('\n')}`)
  }
  for (const { page, scripts } of pageScripts()) print(page, scripts)
  for (const file of new Set(pageScripts().flatMap(({ scripts }) => [...scripts]))) print(file, [file])
}

const inKb = (size: number) => `${(size / 1000).toFixed(1)} kB`

if (import.meta.main) {
  for (const { page, files, size, styles, most } of pageScripts())
    console.log(
      `${page.padEnd(12)} ${inKb(size)} of at most ${most / 1000} kB, in ${files} files; styles ${inKb(styles)}`,
    )
  if (process.argv.includes('--parts')) await printParts()
}
