import type { Reporter, TestModule } from 'vitest/node'

/** Enough of it to see what went wrong where only the end of the output is kept. */
const mostReason = 600

const reasonOf = (errors: readonly { message: string; stack?: string }[] = []) =>
  errors.map(
    ({ message, stack }) => `${message.slice(0, mostReason)}\n${stack?.match(/^ *at .*\.test\.ts.*$/m)?.[0] ?? ''}`,
  )

/** Names tests that failed or needed another try, with the reason, and closes a run with the one line that machines look for. */
export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string; stack?: string }[]) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    const lines = [...reasonOf(unhandled)]
    for (const module of modules) {
      counts.failed += module.errors().length
      lines.push(...reasonOf(module.errors()).map((reason) => `failed: ${module.relativeModuleId}: ${reason}`))
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        const name = `${module.relativeModuleId} > ${test.fullName}`
        if (state !== 'pending') counts[state]++
        const reason = reasonOf(errors).join('\n')
        if (state === 'failed') lines.push(`failed: ${name}: ${reason}`)
        else if (test.diagnostic()?.retryCount) lines.push(`retried: ${name}: ${reason}`)
      }
    }
    for (const line of ['', ...lines]) console.log(line)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
