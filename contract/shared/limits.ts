/** Rate limit of one API key, in all processes together. */
export const keyRate = { perSecond: 100, burst: 200 }

/** Counts are exact up to this many records, unless the caller asks for an exact count. */
export const countedUpTo = 10_000

/** Maximum length in characters, by field type. */
export const mostText = { text: 1000, long_text: 100_000 } as const
export const largestNumber = 1e15
export const amountPattern = /^-?\d{1,15}(\.\d{1,6})?$/

export const mostPictureKb = 256
export const mostUploadMb = 100

/** Of a CSV file. */
export const mostColumns = 500
export const mostRows = 1_000_000
export const mostCellKb = 100
/** CSV text that is sent with the call instead of as a file. */
export const mostInlineKb = 200

/** About 6,000 tokens, which an agent can read at once without losing track. */
export const mostAnswerBytes = 24 * 1024
