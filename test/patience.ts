import { vi } from 'vitest'

/** For files that start processes: each start takes seconds, and on a busy machine ten times as many. */
export const waitForProcesses = () => vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
