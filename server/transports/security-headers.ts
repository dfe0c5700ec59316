import { randomBytes } from 'node:crypto'

const csp = (styles: string) =>
  `default-src 'self'; script-src 'self'; style-src ${styles}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; ` +
  "frame-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The headers of every response, created once. */
export const securityHeaders = (isHttps: boolean) => ({
  'content-security-policy': csp("'self'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

/** The policy of one page. Styles that the app adds at run time carry the nonce of the page. */
export function pagePolicy() {
  const nonce = randomBytes(16).toString('base64')
  return { nonce, policy: csp(`'self' 'nonce-${nonce}'`) }
}
