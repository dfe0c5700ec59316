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
