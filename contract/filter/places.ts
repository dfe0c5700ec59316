// Where the parts of a tree came from, so that errors found later can point at the exact word.
import type { Spot } from './faults.ts'
import type { Filter } from './tree.ts'

export type Place = {
  whole: Spot
  /** One per step of the path; all the same in JSON, where the path is a single string. */
  names: Spot[]
  op: Spot
  values: Spot[]
  /** The values as written, if they have no quotes. */
  bare: (string | undefined)[]
  notation: 'text' | 'json'
}

export type Parsed = { tree: Filter; places: WeakMap<Filter, Place> }
