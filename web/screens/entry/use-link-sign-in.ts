import { useRef } from 'react'
import { api } from '../../client/api.ts'

/** Uses a link, then signs in with the password that was just chosen. A link works once: a second try only signs in. */
export function useLinkSignIn(email: string) {
  const isUsed = useRef(false)
  return async (password: string, follow: () => Promise<unknown>) => {
    if (!isUsed.current) await follow()
    isUsed.current = true
    return api.signIn({ email, password })
  }
}
