/** Where to go after signing in: a path of this app, or nothing. Keeps others from sending people elsewhere. */
export function nextPage(wish: unknown): string | undefined {
  if (typeof wish !== 'string' || !/^\/[^/\\]/.test(wish)) return undefined
  // The browser drops tabs and line breaks while reading an address, so ask it where this really leads.
  const url = URL.parse(wish, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search : undefined
}
