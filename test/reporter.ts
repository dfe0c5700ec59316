import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { type RunResult, resultFile } from '../scripts/test/run-folder.ts'

/** Enough of it to see what went wrong where only the end of the output is kept. */
const mostReason = 600

type Fault = { message: string; stack?: string }

const reasonOf = (errors: readonly Fault[] = []) =>
  errors
    .map(({ message, stack }) => {
      const place = stack?.match(/^ *at .*\.test\.ts.*$/m)?.[0].trim()
      return `${message.slice(0, mostReason)}${place ? `\n  ${place}` : ''}`
    })
    .join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const command = process.env.TEST_LONG ? 'npm run test:long' : 'npm test'

/** Runs exactly this test. */
function repeating({ module, fullName }: TestCase) {
  const name = fullName.replaceAll(' > ', ' ').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return `${command} -- ${module.relativeModuleId} -t ${quoted(`^${name}$`)}`
}

/**
 * Ends a run with the tests that failed or needed another try, why, and how to repeat each, and with the one line that
 * machines look for.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Fault[]) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    const result: RunResult = { durations: {}, retried: 0 }
    const lines = unhandled.length ? [`failed outside of a test: ${reasonOf(unhandled)}`] : []
    for (const module of modules) {
      const file = module.relativeModuleId
      const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
      result.durations[file] = prepareDuration + collectDuration + setupDuration + duration
      counts.failed += module.errors().length
      if (module.errors().length)
        lines.push(`failed: ${file}: ${reasonOf(module.errors())}\n  repeat: ${command} -- ${file}`)
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state !== 'pending') counts[state]++
        const about = `${file} > ${test.fullName}: ${reasonOf(errors)}\n  repeat: ${repeating(test)}`
        if (state === 'failed') lines.push(`failed: ${about}`)
        else if (test.diagnostic()?.retryCount) {
          result.retried++
          lines.push(`retried: ${about}`)
        }
      }
    }
    writeFileSync(join(tmpdir(), resultFile), JSON.stringify(result))
    for (const line of ['', ...lines]) console.log(line)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
