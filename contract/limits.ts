/** How fast one key may call, in this process. */
export const keyRate = { perSecond: 100, burst: 200 }

/** About 6,000 tokens: what an agent can read at once without losing its thread. */
export const mostAnswerBytes = 24 * 1024
