// One call of the API as other programs write it. A key is never in it, only the variable that holds one.
import { type ApiOperation, bodyOf, inputParameters, isUpload } from './api-document.ts'

export const keyHeader = 'x-api-key'
export const keyVariable = 'KITH_API_KEY'

/** The request, independent of the language. */
export type ApiCall = {
  method: string
  origin: string
  /** With its query. */
  path: string
  /** Calls under /public need none. */
  needsKey: boolean
  body?: object
  /** The types of answers that are understood, if the server needs to know. */
  accept?: string
  isUpload?: boolean
  tool?: { name: string; arguments: object }
}

/** Puts an input, as a tool takes it, where the REST API expects it: path, query and body. */
export function callOf(operation: ApiOperation, input: Record<string, unknown>, origin: string): ApiCall {
  const { method, 'x-tool': name } = operation
  const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(input[key] ?? '')))
  const parameters = inputParameters(operation)
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query')
      .flatMap(({ name }) => [input[name] ?? []].flat().map((value) => [name, String(value)])),
  )
  const names = new Set(parameters.map((one) => one.name))
  const body = Object.fromEntries(Object.entries(input).filter(([key]) => !names.has(key)))
  return {
    method,
    origin,
    path: query.size ? `${path}?${query}` : path,
    needsKey: !path.startsWith('/public/'),
    ...(bodyOf(operation) && { body }),
    ...(isUpload(operation) && { isUpload: true }),
    ...(name && { tool: { name, arguments: input } }),
  }
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const fileName = 'contacts.csv'

function headersOf({ needsKey, body, accept, isUpload }: ApiCall, key: string): [string, string][] {
  const headers: [string, string | false | undefined][] = [
    [keyHeader, needsKey && key],
    ['content-type', body ? 'application/json' : isUpload && 'text/csv'],
    ['accept', accept],
  ]
  return headers.filter((header): header is [string, string] => typeof header[1] === 'string')
}

function rest(call: ApiCall) {
  const lines = [
    `${call.method} ${call.path} HTTP/1.1`,
    `host: ${new URL(call.origin).host}`,
    ...headersOf(call, 'YOUR_API_KEY').map((header) => header.join(': ')),
  ]
  if (call.isUpload) return [...lines, '', `(the content of ${fileName})`].join('\n')
  return call.body ? [...lines, '', json(call.body)].join('\n') : lines.join('\n')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl(call: ApiCall) {
  const method = call.method === 'GET' ? '' : ` -X ${call.method}`
  const headers = headersOf(call, `$${keyVariable}`).map(([name, value]) =>
    // Only double quotes let the shell fill in the variable.
    value.startsWith('$') ? `  -H "${name}: ${value}"` : `  -H ${quoted(`${name}: ${value}`)}`,
  )
  return [
    `curl -sS${method} ${quoted(call.origin + call.path)}`,
    ...headers,
    ...(call.body ? [`  -d ${quoted(json(call.body))}`] : []),
    ...(call.isUpload ? [`  --data-binary @${fileName}`] : []),
  ].join(' \\\n')
}

function javascript(call: ApiCall) {
  const headers = headersOf(call, '').map(
    ([name, value]) => `    '${name}': ${value ? `'${value}'` : `process.env.${keyVariable}`},`,
  )
  const body = call.isUpload
    ? `await readFile('${fileName}')`
    : call.body && `JSON.stringify(${indented(json(call.body))})`
  const options = [
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',`]),
    ...(headers.length ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: ${body},`] : []),
  ]
  const url = JSON.stringify(call.origin + call.path)
  return [
    ...(call.isUpload ? ["import { readFile } from 'node:fs/promises'", ''] : []),
    options.length
      ? `const response = await fetch(${url}, {\n${options.join('\n')}\n})`
      : `const response = await fetch(${url})`,
    'if (!response.ok) throw new Error(await response.text())',
    'console.log(await response.text())',
  ].join('\n')
}

function python(call: ApiCall) {
  const headers = headersOf(call, '').map(
    ([name, value]) => `        "${name}": ${value ? JSON.stringify(value) : `os.environ["${keyVariable}"]`},`,
  )
  const data = call.isUpload
    ? `open("${fileName}", "rb").read()`
    : call.body && `json.dumps(${indented(pythonValue(call.body), '    ')}).encode()`
  const imports = [...(call.body ? ['json'] : []), ...(call.needsKey ? ['os'] : []), 'urllib.request']
  return [
    ...imports.map((name) => `import ${name}`),
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(call.origin + call.path)},`,
    `    method="${call.method}",`,
    ...(headers.length ? ['    headers={', ...headers, '    },'] : []),
    ...(data ? [`    data=${data},`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n')
}

const indented = (text: string, by = '  ') => text.replaceAll('\n', `\n${by}`)

function pythonValue(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  const block = (open: string, lines: string[], close: string) =>
    lines.length ? `${open}\n${lines.map((line) => `${inner}${line},`).join('\n')}\n${indent}${close}` : open + close
  if (Array.isArray(value))
    return block(
      '[',
      value.map((one) => pythonValue(one, inner)),
      ']',
    )
  if (typeof value === 'object' && value !== null) {
    const given = Object.entries(value).filter(([, one]) => one !== undefined)
    return block(
      '{',
      given.map(([key, one]) => `${JSON.stringify(key)}: ${pythonValue(one, inner)}`),
      '}',
    )
  }
  if (value === null || value === undefined) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

const mcp = ({ tool }: ApiCall) => tool && json({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool })

const languages = { rest, curl, javascript, python, mcp }
export type Language = keyof typeof languages

export type Snippet = { language: Language; name: string; about: string; code: string | undefined }

const faces: [Language, name: string, about: string][] = [
  ['rest', 'REST', 'The HTTP request'],
  ['curl', 'curl', `For a terminal with ${keyVariable} set`],
  ['javascript', 'JavaScript', 'Node.js 18 or newer, Deno or Bun'],
  ['python', 'Python', 'Python 3, without packages'],
  ['mcp', 'MCP', 'The message that agents send to /api/v1/mcp'],
]

/** The same call in every language. An operation without a tool has none for MCP. */
export const snippetsOf = (call: ApiCall): Snippet[] =>
  faces.map(([language, name, about]) => ({ language, name, about, code: languages[language](call) }))
