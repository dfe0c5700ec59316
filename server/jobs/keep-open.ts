import type { StepTools } from './job.ts'

export type Keeper = ReturnType<typeof keeping>

/** Keeps something open between the steps of a job. After a step that was not committed it may be too far ahead. */
export function keeping() {
  let open: AsyncDisposable | undefined
  let isCommitted = true

  async function close() {
    const closing = open
    open = undefined
    await closing?.[Symbol.asyncDispose]()
  }
  const kept: StepTools['kept'] = async <T extends AsyncDisposable>(make: () => Promise<T>) => {
    open ??= await make()
    return open as T
  }

  return {
    async forStep() {
      if (!isCommitted) await close()
      isCommitted = false
      return kept
    },
    committed() {
      isCommitted = true
    },
    [Symbol.asyncDispose]: close,
  }
}
