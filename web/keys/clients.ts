// Where agents and programs knock, and the one call that shows what a key unlocks.
export const mcpPath = '/api/v1/mcp'
export const mcpEndpoint = `${location.origin}${mcpPath}`
export const keyHeader = 'x-api-key'
export const keyVariable = 'KITH_API_KEY'

export const mcpHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}
export const toolsListBody = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

export const curlToolsList = (key: string, accept = mcpHeaders.Accept) =>
  [
    `curl -sS ${mcpEndpoint}`,
    `  -H "${keyHeader}: ${key}"`,
    `  -H "Content-Type: ${mcpHeaders['Content-Type']}"`,
    `  -H "Accept: ${accept}"`,
    `  -d '${toolsListBody}'`,
  ].join(' \\\n')

export type Steps = [text: string, value?: string][]
export type Client = {
  name: string
  /** Where the lines go. */
  where: string
  environment: string | Steps
  literal: (key: string) => string | Steps
  /** What else one must know to use the variable. */
  note?: string
}

const json = (value: object) => JSON.stringify(value, null, 2)
const headers = (key: string) => ({ [keyHeader]: key })
const braces = `\${${keyVariable}}`

/** Claude Desktop starts local servers only; mcp-remote passes their calls on. It splits arguments at blanks. */
const claudeDesktop = (key: string, env?: object) => {
  const { protocol, hostname } = new URL(mcpEndpoint)
  const isLocal = ['localhost', '127.0.0.1'].includes(hostname)
  const insecure = protocol === 'http:' && !isLocal ? ['--allow-http'] : []
  const args = ['-y', 'mcp-remote', mcpEndpoint, '--transport', 'http-only', ...insecure]
  return json({
    mcpServers: { kith: { command: 'npx', args: [...args, '--header', `${keyHeader}:${key}`], env } },
  })
}

const claudeCode = (header: string) => `claude mcp add --transport http kith ${mcpEndpoint} \\\n  --header ${header}`

const codex = (line: string) => `[mcp_servers.kith]\nurl = "${mcpEndpoint}"\n${line}`

const cursor = (key: string) => json({ mcpServers: { kith: { url: mcpEndpoint, headers: headers(key) } } })

const vsCode = (key: string) => json({ servers: { kith: { type: 'http', url: mcpEndpoint, headers: headers(key) } } })

const gemini = (key: string) => json({ mcpServers: { kith: { httpUrl: mcpEndpoint, headers: headers(key) } } })

const n8n = (text: string, key: string): Steps => [
  ['Add the node MCP Client, or MCP Client Tool under an AI Agent.'],
  ['Server Transport: HTTP Streamable. Endpoint:', mcpEndpoint],
  ['Authentication: Header Auth. Create a credential with the name', keyHeader],
  [text, key],
]

export const clients: Client[] = [
  {
    name: 'Claude Desktop',
    where: 'claude_desktop_config.json, under Settings, Developer, Edit Config',
    environment: claudeDesktop(braces, { [keyVariable]: 'paste the key here' }),
    literal: (key) => claudeDesktop(key),
    note: `Claude Desktop passes on only the variables under env, so the key goes there and stays out of the command. Needs Node.js. Restart Claude Desktop afterwards.`,
  },
  {
    name: 'Claude Code',
    where: 'In a terminal',
    environment: claudeCode(`'${keyHeader}: ${braces}'`),
    literal: (key) => claudeCode(`"${keyHeader}: ${key}"`),
    note: `The single quotes matter: Claude Code then keeps only the name of the variable and reads ${keyVariable} whenever it starts.`,
  },
  {
    name: 'ChatGPT / Codex',
    where: '~/.codex/config.toml',
    environment: codex(`env_http_headers = { "${keyHeader}" = "${keyVariable}" }`),
    literal: (key) => codex(`http_headers = { "${keyHeader}" = "${key}" }`),
    note: `For Codex in the terminal, the editor and the app; start it where ${keyVariable} is set. Connectors on chatgpt.com cannot send custom headers.`,
  },
  {
    name: 'Cursor',
    where: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    environment: cursor(`\${env:${keyVariable}}`),
    literal: cursor,
  },
  {
    name: 'VS Code',
    where: '.vscode/mcp.json, or MCP: Open User Configuration',
    environment: vsCode(`\${env:${keyVariable}}`),
    literal: vsCode,
  },
  {
    name: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    environment: gemini(`$${keyVariable}`),
    literal: gemini,
  },
  {
    name: 'n8n',
    where: 'In a workflow',
    environment: n8n('Its value, as an expression:', `{{ $env.${keyVariable} }}`),
    literal: (key) => n8n('Its value:', key),
    note: `n8n 2 reads variables only with N8N_BLOCK_ENV_ACCESS_IN_NODE=false. It encrypts credentials, so the literal value is safe there too.`,
  },
  {
    name: 'curl',
    where: 'In a terminal',
    environment: curlToolsList(`$${keyVariable}`),
    literal: (key) => curlToolsList(key),
    note: `Set the variable without leaving the key in your shell history: read -rs ${keyVariable} && export ${keyVariable}`,
  },
]
