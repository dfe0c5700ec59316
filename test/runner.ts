import { join } from 'node:path'
import { type RunnerTask, type RunnerTestSuite, TestRunner } from 'vitest'
import { endLaunched } from './process.ts'
import { writeParts } from './timed.ts'

const browserTests = join(import.meta.dirname, 'e2e/')

/**
 * Retries browser tests once: Chromium on two busy cores can miss a deadline. All other tests must pass the first time.
 * A vitest project for browser tests would load every module a second time.
 */
export default class Runner extends TestRunner {
  override onBeforeRunTask(task: RunnerTask) {
    if (task.type === 'test' && task.file.filepath.startsWith(browserTests)) task.retry ??= 1
    return super.onBeforeRunTask(task)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite) {
    await super.onAfterRunSuite(suite)
    if (suite.file !== suite) return
    await endLaunched()
    writeParts()
  }
}
