// Scripts for websites, served in one piece.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const work = readFileSync(join(import.meta.dirname, 'proof-of-work.js'), 'utf8')

export const websiteScript = (path: string) =>
  Buffer.from(readFileSync(path, 'utf8').replace('// proof-of-work.js', () => work))
