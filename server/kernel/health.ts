import type { health } from '../../contract/health.ts'
import { ping } from '../platform/db.ts'
import type { Handlers } from './run.ts'

export const healthOperations: Handlers<typeof health> = {
  async getHealth({ db }) {
    await ping(db)
    return { status: 'ok' }
  },
}
