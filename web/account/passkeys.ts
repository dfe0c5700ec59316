/** Browsers make passkeys for a name under https (or localhost) only, never for a bare address. */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.isSecureContext && !isIpAddress(location.hostname)

const isIpAddress = (host: string) => /^[\d.]+$/.test(host) || host.startsWith('[')

/** Loaded when it is first used. */
export const loadPasskeys = () => import('@simplewebauthn/browser')

/** What the browser said, for people. The names are those of the WebAuthn standard. */
export function passkeyFault(error: unknown) {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The request was cancelled or timed out, or no passkey was found. Try again.'
  if (name === 'SecurityError') return 'Passkeys don’t work at this address. Open Kith at its usual address.'
  if (name === 'NotSupportedError') return 'This device cannot create the kind of passkey that Kith requires.'
  return undefined
}

const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const named = (list: [RegExp, string][], agent: string) => list.find(([sign]) => sign.test(agent))?.[1]

/** "Firefox on Windows", from what a browser calls itself; what is no browser keeps its own words. */
export function clientWords(agent: string | null) {
  if (!agent) return 'Unknown browser'
  const browser = named(browsers, agent)
  const system = named(systems, agent)
  if (!browser) return agent
  return system ? `${browser} on ${system}` : browser
}

export const isHandheld = (agent: string | null) => /\b(iPhone|iPad|Android|Mobile)\b/.test(agent ?? '')
