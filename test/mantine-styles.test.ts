// Only the styles of those components are loaded that the web app uses, or that one of these uses.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const packages = resolve('node_modules/@mantine')
const core = join(packages, 'core')
const sheet = readFileSync('web/ui/theme/mantine-styles.ts', 'utf8')
const imported = [...sheet.matchAll(/import '@mantine\/core\/styles\/(\S+)\.layer\.css'/g)].map(([, name]) => name!)
const general = ['default-css-variables', 'baseline', 'global']

test('every component that is used has its styles, and no other has', () => {
  expect(imported.toSorted()).toEqual([...general, ...needed()].toSorted())
})

test('the styles come in the order of the whole sheet, so that none overrides another one by accident', () => {
  const whole = readFileSync(join(core, 'styles.layer.css'), 'utf8')
  const places = imported.filter((name) => !general.includes(name)).map((name) => whole.indexOf(firstClass(name)))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

const firstClass = (name: string) => /\.m_[\da-f]+/.exec(readFileSync(join(core, 'styles', `${name}.css`), 'utf8'))![0]

function needed() {
  const files = new Set<string>()
  const index = readFileSync(join(core, 'esm/index.mjs'), 'utf8')
  const places = new Map(
    [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, names, path]) =>
      namesIn(names!).map((name) => [name, path!] as const),
    ),
  )
  for (const name of ['MantineProvider', ...used()]) follow(join(core, 'esm', places.get(name) ?? 'index.mjs'), files)
  return [...files].filter((file) => file.endsWith('.module.mjs')).map((file) => basename(file, '.module.mjs'))
}

/** By the web app, and by the other packages of Mantine that it uses. */
function used() {
  const ours = globSync('web/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'))
  const theirs = globSync(`${packages}/{dates,notifications,tiptap}/esm/**/*.mjs`).map((file) =>
    readFileSync(file, 'utf8'),
  )
  const imports = [...ours, ...theirs].flatMap((text) => [
    ...text.matchAll(/^import \{([^}]*)\} from ['"]@mantine\/core['"]/gm),
  ])
  return new Set(imports.flatMap(([, names]) => namesIn(names!)))
}

const namesIn = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0]!)

function follow(file: string, files: Set<string>) {
  if (files.has(file) || file.endsWith('esm/index.mjs')) return
  files.add(file)
  if (file.endsWith('.module.mjs')) return
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
    follow(join(dirname(file), path!), files)
}
