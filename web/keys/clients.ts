// Where agents and programs connect, and the lines that connect each of them.
import { type ApiCall, keyHeader, keyVariable, type Language, snippetsOf } from '../../contract/document/snippets.ts'

export { keyHeader, keyVariable }
export const mcpPath = '/api/v1/mcp'
const { origin = '' } = globalThis.location ?? {}
export const mcpEndpoint = `${origin}${mcpPath}`

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
const claudeDesktop = (endpoint: string, key: string, env?: object) => {
  const { protocol, hostname } = new URL(endpoint)
  const isLocal = ['localhost', '127.0.0.1'].includes(hostname)
  const insecure = protocol === 'http:' && !isLocal ? ['--allow-http'] : []
  const args = ['-y', 'mcp-remote', endpoint, '--transport', 'http-only', ...insecure]
  return json({
    mcpServers: { kith: { command: 'npx', args: [...args, '--header', `${keyHeader}:${key}`], env } },
  })
}

/** The call that lists the tools, as programs write it. */
function program(origin: string, language: Language, key?: string) {
  const call: ApiCall = {
    method: 'POST',
    origin,
    path: mcpPath,
    needsKey: true,
    body: JSON.parse(toolsListBody) as object,
    accept: mcpHeaders.Accept,
  }
  const code = snippetsOf(call).find((one) => one.language === language)?.code ?? ''
  if (key === undefined) return code
  return code
    .replace(`process.env.${keyVariable}`, `'${key}'`)
    .replace(`os.environ["${keyVariable}"]`, `"${key}"`)
    .replace(`$${keyVariable}`, key)
}

const stdLanguages: [name: string, language: Language, where: string][] = [
  ['JavaScript', 'javascript', 'In a program, with Node.js 18 or newer, Deno or Bun'],
  ['Python', 'python', 'In a program, with Python 3'],
  ['curl', 'curl', 'In a terminal'],
]

export const clientsOf = (origin: string): Client[] => {
  const endpoint = `${origin}${mcpPath}`
  const claudeCode = (header: string) => `claude mcp add --transport http kith ${endpoint} \\\n  --header ${header}`
  const codex = (line: string) => `[mcp_servers.kith]\nurl = "${endpoint}"\n${line}`
  const servers =
    (server: (key: string) => object, name = 'mcpServers') =>
    (key: string) =>
      json({ [name]: { kith: server(key) } })
  const cursor = servers((key) => ({ url: endpoint, headers: headers(key) }))
  const vsCode = servers((key) => ({ type: 'http', url: endpoint, headers: headers(key) }), 'servers')
  const windsurf = servers((key) => ({ serverUrl: endpoint, headers: headers(key) }))
  const gemini = servers((key) => ({ httpUrl: endpoint, headers: headers(key) }))
  const libreChat = (key: string) =>
    `mcpServers:\n  kith:\n    type: streamable-http\n    url: ${endpoint}\n    headers:\n      ${keyHeader}: '${key}'`
  const n8n = (text: string, key: string): Steps => [
    ['Add the node MCP Client, or MCP Client Tool under an AI Agent.'],
    ['Server Transport: HTTP Streamable. Endpoint:', endpoint],
    ['Authentication: Header Auth. Create a credential with the name', keyHeader],
    [text, key],
  ]
  return [
    {
      name: 'Claude Desktop',
      where: 'claude_desktop_config.json, under Settings, Developer, Edit Config',
      environment: claudeDesktop(endpoint, braces, { [keyVariable]: 'paste the key here' }),
      literal: (key) => claudeDesktop(endpoint, key),
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
      name: 'Windsurf',
      where: '~/.codeium/windsurf/mcp_config.json',
      environment: windsurf(`\${env:${keyVariable}}`),
      literal: windsurf,
    },
    {
      name: 'Gemini CLI',
      where: '~/.gemini/settings.json',
      environment: gemini(`$${keyVariable}`),
      literal: gemini,
    },
    {
      name: 'LibreChat',
      where: 'librechat.yaml',
      environment: libreChat(braces),
      literal: libreChat,
    },
    {
      name: 'n8n',
      where: 'In a workflow',
      environment: n8n('Its value, as an expression:', `{{ $env.${keyVariable} }}`),
      literal: (key) => n8n('Its value:', key),
      note: `n8n 2 reads variables only with N8N_BLOCK_ENV_ACCESS_IN_NODE=false. It encrypts credentials, so the literal value is safe there too.`,
    },
    ...stdLanguages.map(([name, language, where]) => ({
      name,
      where,
      environment: program(origin, language),
      literal: (key: string) => program(origin, language, key),
      note: `Set the variable without leaving the key in your shell history: read -rs ${keyVariable} && export ${keyVariable}`,
    })),
  ]
}

export const clients = origin ? clientsOf(origin) : []
