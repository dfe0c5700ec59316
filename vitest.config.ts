import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'server/**/*.test.ts', 'contract/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/matchers.ts',
    reporters: ['default', './test/reporter.ts'],
    pool: 'forks',
    // Tests of processes mostly wait, so two cores have room for three files at a time.
    maxWorkers: 3,
    // Files share what they import; each has its own database. To load everything anew took a quarter of the time.
    isolate: false,
    // Long, because only a test that fails waits for them, and a busy machine can be ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    runner: './test/runner.ts',
    expect: { poll: { timeout: 60_000 } },
    experimental: { viteModuleRunner: false },
  },
})
