/** `operation`: an operation, or the type of a webhook event. `object`: whose fields the trees and examples show. */
export type Search = { operation?: string; object?: string }

export const readSearch = ({ operation, object }: Record<string, unknown>): Search => ({
  ...(typeof operation === 'string' && operation && { operation }),
  ...(typeof object === 'string' && object && { object }),
})
