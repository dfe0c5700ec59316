/** How fast one key may call, in this process. */
export const keyRate = { perSecond: 100, burst: 200 }

/** So many records are counted exactly, unless a caller asks for more. */
export const countedUpTo = 10_000

/** In characters, by the type of a field. */
export const mostText = { text: 1000, long_text: 100_000 } as const
export const largestNumber = 1e15
export const amountPattern = /^-?\d{1,15}(\.\d{1,6})?$/

export const mostPictureKb = 256

/** About 6,000 tokens: what an agent can read at once without losing its thread. */
export const mostAnswerBytes = 24 * 1024
