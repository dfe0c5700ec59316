import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that needed a second try, and closes a run with the one line that machines look for. */
export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    const retried: string[] = []
    for (const module of modules) {
      if (module.errors().length) counts.failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state]++
        if (test.diagnostic()?.retryCount)
          retried.push(`retried: ${module.relativeModuleId} > ${test.fullName} (${state})`)
      }
    }
    for (const line of ['', ...retried]) console.log(line)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
