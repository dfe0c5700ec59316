// Where the parts of a tree came from, kept beside the tree, so that a fault found later can point at the very word.
import type { Spot } from './faults.ts'
import type { Filter } from './tree.ts'

export type Place = {
  whole: Spot
  /** The steps of the path; all the same spot where the path is one JSON string. */
  names: Spot[]
  op: Spot
  values: Spot[]
  /** The values as written, where they stand in the text without quotes. */
  bare: (string | undefined)[]
  notation: 'text' | 'json'
}

export type Parsed = { tree: Filter; places: WeakMap<Filter, Place> }
