// Covers: docs/openapi.json
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the OpenAPI document passes a linter without a warning', () => {
  const cli = 'node_modules/@redocly/cli/bin/cli.js'
  const args = [cli, 'lint', 'docs/openapi.json', '--extends=recommended', '--format=json']
  // It neither reports home nor looks for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' }
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  expect(JSON.parse(stdout).problems).toEqual([])
})
