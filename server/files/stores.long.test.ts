// Covers: server/files
// An S3 server that others wrote keeps the promises of a place for files, too. It requires parts of 5 MB.
import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe } from 'vitest'
import { keepsItsPromises } from '../../test/file-store.ts'
import { ownPackages } from '../../test/own-packages.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { freePort } from '../../test/process.ts'
import { s3Store } from './s3-store.ts'

waitForProcesses()

describe('s3rver', async () => {
  const { folder, launch } = await ownPackages('test/s3rver')
  const directory = join(folder, 'files')
  mkdirSync(directory)
  const port = await freePort()
  const options = { address: '127.0.0.1', port, directory, 'configure-bucket': 'kith-files' }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = launch('s3rver/bin/s3rver.js', args)
  afterAll(() => server.kill())
  const endpoint = new URL(`http://127.0.0.1:${port}`)
  while (!(await fetch(endpoint).catch(() => undefined))) await sleep(50)
  const as = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1', bucket: 'kith-files' }
  const age = () => {
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(directory, name), 0, 0)
  }
  keepsItsPromises({ store: s3Store({ endpoint, ...as }, { firstWaitMs: 1 }), age }, [0, 31, 9 * 1024 * 1024])
})
