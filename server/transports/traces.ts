// The trace that a request is part of, as its caller names it: W3C Trace Context.

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/** Null if it is missing or malformed. */
export const traceIn = (value: unknown): string | null =>
  typeof value === 'string' ? (traceparent.exec(value)?.[1] ?? null) : null
