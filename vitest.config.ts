import { defineConfig } from 'vitest/config'
import { selectTests, testFiles } from './scripts/test/selection.ts'
import LongestFirst from './test/sequencer.ts'

const { all, leftOut } = selectTests()

export default defineConfig({
  test: {
    include: process.env.TEST_ESSENTIAL ? all.filter((file) => !leftOut.includes(file)) : testFiles,
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/matchers.ts',
    reporters: ['default', './test/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Tests of processes mostly wait, so two cores have room for three files at a time.
    maxWorkers: Number(process.env.TEST_WORKERS ?? 3),
    // Files share what they import, and one app. To load everything again took a quarter of the time.
    isolate: false,
    // Only a test that fails waits for these. A test that needs longer says why.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    runner: './test/runner.ts',
    expect: { poll: { timeout: 15_000 } },
    experimental: { viteModuleRunner: false },
  },
})
