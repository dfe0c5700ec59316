// Start options for long-running processes. Without them a process uses a third more memory at the same speed: V8 lets
// its young generation grow to 100 MB and its heap to four times what is alive, and the C library keeps a heap for every
// thread.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where Node keeps what it made of our files, so that the next start takes half as long. */
export const compiled = join(fileURLToPath(import.meta.url), '..', '..', 'node_modules', '.cache', 'compiled')

export const frugal = {
  execArgv: ['--max-semi-space-size=8', '--heap-growing-percent=100'],
  env: { NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: '2', ...process.env },
}
