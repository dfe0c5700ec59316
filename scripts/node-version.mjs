// crypto.randomUUIDv7 is the newest API that Kith uses. Node 25 never received it.
const firstMinor = { 24: 16, 26: 1 }

export const neededNode = 'Node 24.16 or later (not Node 25; for Node 26, 26.1 or later)'

/** `version`: such as "24.16.0", with or without a leading "v". */
export function canRunKith(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > 26 || minor >= (firstMinor[major] ?? Number.POSITIVE_INFINITY)
}
