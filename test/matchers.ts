import { expect } from 'vitest'
import { ApiError } from '../web/client/api.ts'

declare module 'vitest' {
  interface Matchers {
    toBeRefused(status: number, code?: string): Promise<void>
  }
}

expect.extend({
  /** `await expect(api.signIn(...)).toBeRefused(401)` */
  async toBeRefused(call: Promise<unknown>, status: number, code?: string) {
    const seen: unknown = await call.then(
      (answer) => ({ answered: answer }),
      (error) => error,
    )
    const problem = seen instanceof ApiError ? seen.problem : undefined
    return {
      pass: problem?.status === status && (!code || problem.code === code),
      message: () => `expected a refusal with ${status} ${code ?? ''}, got ${JSON.stringify(problem ?? seen)}`,
    }
  },
})
