import { lazyRouteComponent as lazily } from '@tanstack/react-router'
import { fetchPart } from './lazy-part.tsx'

/** As the router does it, but without a connection it must not load the page anew: then all would be gone. */
export const lazyRouteComponent: typeof lazily = (load, name) =>
  lazily(
    () =>
      fetchPart(load).catch((error: Error) => {
        throw navigator.onLine ? error.cause : error
      }),
    name,
  )
