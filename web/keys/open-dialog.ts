import type { Key } from './keys.ts'

export type OpenDialog =
  | { kind: 'add'; replaces?: Key }
  | { kind: 'rename'; key: Key }
  | { kind: 'delete'; keys: Key[]; onDone: () => void }
