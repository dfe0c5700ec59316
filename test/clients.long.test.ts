// Covers: server/transports/mcp web/keys
// The lines that the profile page gives for each client, used as that client uses them.
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { clientsOf } from '../web/keys/clients.ts'
import { testApp } from './app.ts'
import { onTheWire } from './wire.ts'

const kith = await testApp()
const { origin } = await onTheWire(kith)
const key = await kith.given.key(await kith.given.company({ name: 'Acme', adminName: 'Ada' }))
const clients = clientsOf(origin)
const env = { PATH: process.env.PATH, KITH_API_KEY: key }

type Connection = { url: string; header: string }

/** Fills in the variable in every way that clients write it. */
const filled = (text: string) =>
  text.replace(/\$\{(env:)?KITH_API_KEY\}|\$KITH_API_KEY|\{\{ \$env\.KITH_API_KEY \}\}/g, key)

const serverIn = (config: string) => {
  const [servers] = Object.values(JSON.parse(config)) as [Record<string, Record<string, unknown>>]
  return servers.kith!
}
const ofJson = (config: string): Connection => {
  const { url, serverUrl, httpUrl, headers } = serverIn(config)
  return { url: String(url ?? serverUrl ?? httpUrl), header: (headers as Record<string, string>)['x-api-key']! }
}
const matched = (text: string, url: RegExp, header: RegExp): Connection => ({
  url: url.exec(text)![1]!,
  header: header.exec(text)![1]!,
})

/** What each client sends, as its documentation says it reads these lines. */
const reads: Record<string, (lines: string) => Connection> = {
  'Claude Desktop'(config) {
    const { args } = serverIn(config) as { args: string[] }
    const [name, value] = args[args.indexOf('--header') + 1]!.split(':') as [string, string]
    expect(name).toBe('x-api-key')
    return { url: args[2]!, header: value }
  },
  'Claude Code'(command) {
    const shown = execFileSync('sh', ['-c', `claude() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' })
    const args = shown.split('\n')
    expect(args.slice(0, 5)).toEqual(['mcp', 'add', '--transport', 'http', 'kith'])
    return { url: args[5]!, header: args[7]!.replace('x-api-key: ', '') }
  },
  'ChatGPT / Codex': (toml) => {
    const read = matched(toml, /^url = "(.+)"$/m, /http_headers = \{ "x-api-key" = "(.+)" \}/)
    return { ...read, header: toml.includes('env_http_headers') ? env[read.header as 'KITH_API_KEY'] : read.header }
  },
  Cursor: ofJson,
  'VS Code': ofJson,
  Windsurf: ofJson,
  'Gemini CLI': ofJson,
  LibreChat: (yaml) => matched(yaml, /url: (.+)/, /x-api-key: '(.+)'/),
}

async function toolsOf({ url, header }: Connection) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { 'x-api-key': filled(header) }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return (await client.listTools()).tools.map(({ name }) => name)
}

const programs: Record<string, [program: string, flag: string[]]> = {
  JavaScript: [process.execPath, ['--input-type=module', '-e']],
  Python: ['python3', ['-c']],
  curl: ['sh', ['-c']],
}

test.each(clients)('$name connects with the lines it is given', async ({ name, environment, literal }) => {
  expect(JSON.stringify(environment)).not.toContain(key)
  if (typeof environment !== 'string') {
    const [, endpoint, header, value] = environment.map(([, one]) => one)
    return expect(await toolsOf({ url: endpoint!, header: value! }), header).toContain('whoami')
  }
  for (const lines of [environment, literal(key) as string]) {
    const program = programs[name]
    if (program) {
      const { stdout } = await promisify(execFile)(program[0], [...program[1], lines], { env })
      expect(stdout).toContain('"whoami"')
    } else expect(await toolsOf(reads[name]!(lines))).toContain('whoami')
  }
})
