// Part of the scripts for websites: put in place of the line `// proof-of-work.js`.
/**
 * Finds the number whose hash is the challenge, in short pieces, so that the page stays responsive.
 * @param {import('./types.ts').Challenge} challenge
 */
// biome-ignore lint/correctness/noUnusedVariables: the scripts that it becomes part of use it
async function solve({ algorithm, challenge, salt, signature, maxnumber }) {
  for (let number = 0; number <= maxnumber; ) {
    const until = performance.now() + 25
    while (performance.now() < until && number <= maxnumber) {
      if (sha256(salt + number) === challenge)
        return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
      number++
    }
    await new Promise((done) => setTimeout(done))
  }
  return ''
}

// crypto.subtle exists only on https, and a promise for each hash takes longer than the hash.
/** @type {number[]} */
const roots = []
/** @type {number[]} */
const start = []
for (let n = 2; roots.length < 64; n++) {
  let isPrime = true
  for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false
  if (!isPrime) continue
  if (start.length < 8) start.push((n ** 0.5 * 2 ** 32) | 0)
  roots.push((n ** (1 / 3) * 2 ** 32) | 0)
}
/** @param {string} text */
function sha256(text) {
  const bytes = new TextEncoder().encode(text)
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) * 16)
  for (let i = 0; i < bytes.length; i++) words[i >> 2] |= bytes[i] << (24 - (i % 4) * 8)
  words[bytes.length >> 2] |= 0x80 << (24 - (bytes.length % 4) * 8)
  words[words.length - 1] = bytes.length * 8
  const state = [...start]
  const w = new Int32Array(64)
  /**
   * @param {number} x
   * @param {number} n
   */
  const turn = (x, n) => (x >>> n) | (x << (32 - n))
  for (let at = 0; at < words.length; at += 16) {
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = words[at + i]
      else {
        const [x, y] = [w[i - 15], w[i - 2]]
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
      }
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roots[i] + w[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    for (const [i, part] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + part) | 0
  }
  return state.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
