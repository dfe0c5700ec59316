import { randomBytes } from 'node:crypto'

const csp = (styles: string) =>
  `default-src 'self'; script-src 'self'; style-src ${styles}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; ` +
  "frame-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** On every answer. Made once, because it is on every answer. */
export const securityHeaders = (isHttps: boolean) => ({
  'content-security-policy': csp("'self'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

/** A page's own policy: styles that the app makes at run time carry this page's nonce. */
export function pagePolicy() {
  const nonce = randomBytes(16).toString('base64')
  return { nonce, policy: csp(`'self' 'nonce-${nonce}'`) }
}
