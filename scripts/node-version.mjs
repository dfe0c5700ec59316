// crypto.randomUUIDv7 is the newest API that Kith uses; Node 25 never got it.
const firstMinor = { 24: 16, 26: 1 }

export const neededNode = 'Node 24.16 or newer (of Node 26, 26.1 or newer; not Node 25)'

/** Can this version of Node ("24.16.0", with or without a "v") run Kith? */
export function canRunKith(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > 26 || minor >= (firstMinor[major] ?? Number.POSITIVE_INFINITY)
}
