import { onTestFinished, vi } from 'vitest'

/** Rate limits count by this clock. Until the end of the test it only moves when it is told to, however slow the machine is. */
export function stillClock() {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  return {
    pass(ms: number) {
      now += ms
    },
  }
}
