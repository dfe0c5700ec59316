/** The package has no types; these are of what test/authorization-server.ts uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Token = { destroy(): Promise<void> }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: Record<string, string> }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: 'refresh_token.saved', listener: (token: { jti: string }) => void): this
    Grant: new (
      values: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    RefreshToken: { find(value: string): Promise<Token | undefined> }
  }
}
