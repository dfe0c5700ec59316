import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import { movingStore } from './moving-store.ts'
import type { Files } from './queries.ts'
import { s3Store } from './s3-store.ts'
import { diskStore } from './store.ts'

type Settings = Pick<Config, 'dataDir' | 'filesQuotaMb' | 's3' | 'filesStore'>

/** The file store of this installation. With S3 set up, files that are still in the other place move. */
export function openFiles({ dataDir, filesQuotaMb, s3, filesStore }: Settings): Files {
  const quotaBytes = filesQuotaMb * 1024 * 1024
  const disk = diskStore(join(dataDir, 'files'))
  if (!s3) return { store: disk, quotaBytes }
  const remote = s3Store(s3)
  const moving = filesStore === 'disk' ? { to: disk, from: remote } : { to: remote, from: disk }
  return { store: movingStore(moving.to, moving.from), quotaBytes, moving }
}
