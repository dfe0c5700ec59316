// `npm test` runs the essential test of each mechanism; `npm run test:long` runs everything, in full size.
// A file that only the long run needs is called *.long.test.ts (see CONTRIBUTING.md).
export const isLong = process.env.TEST_LONG === '1'

/** How many rows, rounds or messages a test takes: enough to prove its sentence, or as many as the long run affords. */
export const sized = (short: number, long: number) => (isLong ? long : short)
