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
