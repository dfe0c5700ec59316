// The other side of offload.ts: does one piece of work after the other.
import { parentPort } from 'node:worker_threads'

type Work = { module: string; name: string; args: unknown[] }

parentPort!.on('message', async ({ module, name, args }: Work) => {
  try {
    const work = (await import(module))[name] as (...args: unknown[]) => unknown
    // Loading the modules is not the fault of what is read.
    parentPort!.postMessage({ began: process.threadCpuUsage() })
    const value = await work(...args)
    parentPort!.postMessage({ value }, [...new Set(buffersIn(value))])
  } catch (error) {
    // The message of an error may repeat what was read.
    parentPort!.postMessage({ error: error instanceof Error ? error.name : 'unknown' })
  }
})

/** Bytes that have their memory for themselves are handed over instead of copied. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array)
    return value.buffer instanceof ArrayBuffer && value.buffer.byteLength === value.byteLength ? [value.buffer] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(buffersIn)
}
