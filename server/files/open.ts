import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import type { Files } from './queries.ts'
import { diskStore } from './store.ts'

/** The file store of this installation. */
export const openFiles = ({ dataDir, filesQuotaMb }: Pick<Config, 'dataDir' | 'filesQuotaMb'>): Files => ({
  store: diskStore(join(dataDir, 'files')),
  quotaBytes: filesQuotaMb * 1024 * 1024,
})
