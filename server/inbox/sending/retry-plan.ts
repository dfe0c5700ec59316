/** Minutes after each failed attempt; then a message has failed. */
export const retryMinutes = [1, 5, 30, 120, 360] as const

/** When to try again after so many attempts; undefined: never. A channel may ask for more patience, not for less. */
export function nextAttempt(now: Date, attempts: number, afterSeconds: number) {
  const minutes = retryMinutes[attempts - 1]
  return minutes === undefined ? undefined : new Date(now.getTime() + Math.max(minutes * 60, afterSeconds) * 1000)
}
