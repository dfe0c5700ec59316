import { lazyRouteComponent as lazily } from '@tanstack/react-router'
import { isReachable } from '../../client/connection.ts'

/** Where to go after signing in: a path of this app, or nothing. Keeps others from sending people elsewhere. */
export function nextPage(wish: unknown): string | undefined {
  if (typeof wish !== 'string' || !/^\/[^/\\]/.test(wish)) return undefined
  // The browser drops tabs and line breaks while reading an address, so ask it where this really leads.
  const url = URL.parse(wish, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search : undefined
}

/** The script of a page could not be loaded because there is no connection. */
export class PageNotLoaded extends Error {
  override name = 'PageNotLoaded'
}

/**
 * The router reloads once if the script of a page is missing, because the server has a newer version. Without a
 * connection that would only lose what is on screen.
 */
export const lazyRouteComponent: typeof lazily = (load, name) =>
  lazily(async () => {
    try {
      return await load()
    } catch (error) {
      if (await isReachable()) throw error
      throw new PageNotLoaded('No connection', { cause: error })
    }
  }, name)
