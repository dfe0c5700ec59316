// What the tests of server/platform/offload.ts run in its thread.
import { threadId } from 'node:worker_threads'

export const thread = () => threadId

export const add = (a: number, b: number) => a + b

export function spin() {
  for (;;);
}

export function fillMemory() {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => i + kept.length))
}

export const endThread = () => process.exit(1)

export function fail(text: string): never {
  throw new TypeError(text)
}

export const bytes = (length: number) => ({ files: [{ content: new Uint8Array(length).fill(7) }] })

/** Until the other thread says so. */
export const waitFor = (gate: Int32Array) => Atomics.wait(gate, 0, 0)
