// Covers: docs/openapi.json server/transports/openapi contract/filter/json.ts test/openapi-clients
// Clients that others generate from our OpenAPI document: they compile, and do what programs usually do.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from './app.ts'
import { calls, heyApi, openapiFetch } from './openapi-clients/calls.ts'
import { waitForProcesses } from './patience.ts'
import { onTheWire } from './wire.ts'

waitForProcesses()

const kith = await testApp()
const { origin } = await onTheWire(kith)
const KITH_KEY = await kith.given.key(await kith.given.company({ name: 'Acme' }))
const folder = mkdtempSync(join(tmpdir(), 'kith-clients-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(file: string, args: string[], { cwd = folder, env = {} }: { cwd?: string; env?: object } = {}) {
  const options = { cwd, env: { ...process.env, ...env } }
  return promisify(execFile)(file, args, options).catch(({ stdout, stderr }) =>
    expect.fail(`${args.join(' ')}\n${stdout}\n${stderr}`.slice(0, 4000)),
  )
}
const inPackage = (file: string) => join(folder, 'node_modules', file)

// Packages of their own: the generators need a compiler that can be used as a library, which TypeScript 7 is not yet.
beforeAll(async () => {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(resolve('test/openapi-clients', file), join(folder, file))
  await run('npm', ['ci', '--loglevel=error'])
})

const document = resolve('docs/openapi.json')
const generators: Record<string, { program: string; args: string[] }> = {
  'openapi-typescript': {
    program: openapiFetch,
    args: [
      inPackage('openapi-typescript/bin/cli.js'),
      document,
      '--output',
      'schema.ts',
      '--default-non-nullable',
      'false',
    ],
  },
  '@hey-api/openapi-ts': {
    program: heyApi,
    args: [inPackage('@hey-api/openapi-ts/bin/run.js'), '--input', document, '--output', 'hey-api', '--silent'],
  },
}

test.each(Object.entries(generators))('a client of %s compiles and works', async (name, { program, args }) => {
  const cwd = join(folder, name.replaceAll(/\W/g, '-'))
  mkdirSync(cwd)
  await run(process.execPath, args, { cwd })
  writeFileSync(join(cwd, 'calls.ts'), program)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type: 'commonjs' }))
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'commonjs',
    moduleResolution: 'node10',
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'out',
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
  await run(process.execPath, [inPackage('typescript/bin/tsc'), '-p', '.'], { cwd })
  const { stdout } = await run(process.execPath, ['out/calls.js'], { cwd, env: { KITH_URL: origin, KITH_KEY } })
  expect(stdout.trim().split('\n')).toEqual(Object.keys(calls))
})
