// Agents are told in prose what to call. A name that no longer exists sends them astray.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { builtIn } from '../contract/built-in/objects.ts'
import { systemFields } from '../contract/built-in/system-fields.ts'
import { contract } from '../contract/index.ts'
import { errors } from '../contract/shared/errors.ts'
import { instructions } from '../server/transports/mcp/guide.ts'
import { promptsOf } from '../server/transports/mcp/prompts.ts'
import { toolsOf } from '../server/transports/mcp/tools.ts'

const tools = toolsOf(contract, undefined as never, undefined as never).map(({ listing }) => listing)
const prompts = promptsOf(undefined as never)
const call = undefined as never

const words = (text: string) => text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []

/** Properties and fixed values, however deep: what a sentence may name besides tools. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, enum: values = [] } = schema as { properties?: object; enum?: unknown[] }
  return [...Object.keys(properties), ...values.map(String), ...Object.values(schema).flatMap(namesIn)]
}

const known = new Set([
  ...tools.map(({ name }) => name),
  ...prompts.map(({ listing }) => listing.name),
  'idempotency_key',
  ...Object.keys(errors),
  ...Object.values(contract).flatMap(({ input, output }) =>
    [input, output].flatMap((schema) => namesIn(z.toJSONSchema(schema, { unrepresentable: 'any' }))),
  ),
  ...systemFields.map(({ key }) => key),
  ...Object.entries(builtIn).flatMap(([key, { fields }]) => [
    key,
    ...fields.flatMap((field) => [field.key, ...(field.options ?? []).map((option) => option.key)]),
  ]),
])

test.each([
  ['the instructions', async () => instructions],
  ['the prompts', async () => JSON.stringify(await Promise.all(prompts.map((prompt) => prompt.get({}, call))))],
  ['the descriptions of tools', async () => JSON.stringify(tools)],
  ['docs/agents.md', async () => readFileSync('docs/agents.md', 'utf8')],
])('%s name only tools, fields and values that exist', async (_, text) => {
  expect(words(await text()).filter((word) => !known.has(word))).toEqual([])
})

test('the instructions and docs name tools at all', () => {
  const names = new Set(tools.map(({ name }) => name))
  expect(words(instructions).filter((word) => names.has(word)).length).toBeGreaterThan(8)
})
