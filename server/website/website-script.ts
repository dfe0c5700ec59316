// Scripts for websites, served in one piece.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'web', 'embeds', name), 'utf8')
const work = read('proof-of-work.js')

export const websiteScript = (name: string) => Buffer.from(read(name).replace('// proof-of-work.js', () => work))
