/** The address holds what is tried out, so that a link shows the same. */
export type Search = { object?: string; filter?: string }

export const readSearch = ({ object, filter }: Record<string, unknown>): Search => ({
  ...(typeof object === 'string' && object && { object }),
  // The router reads 2026 in an address as a number.
  ...(filter !== undefined && filter !== '' && { filter: String(filter) }),
})
