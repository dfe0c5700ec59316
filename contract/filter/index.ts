// The filter language: two notations for one tree, checked against a company's fields. Shared by browser and server.
export { asSearch } from './as-search.ts'
export { type Range, ranges } from './bare-words.ts'
export {
  type Checked,
  type CheckedCondition,
  type CheckedFilter,
  check,
  readFilter,
  type Step,
  treeOf,
} from './check.ts'
export { type Comparable, comparable, type Match, type MatchValues, type Money, type Rates } from './comparable.ts'
export { type Completion, type CompletionScope, type Completions, complete } from './complete.ts'
export { type Answer, evaluate } from './evaluate.ts'
export { explain } from './explain.ts'
export { didYouMean, type Fault, type Faults, hasFaults, nearestNames } from './faults.ts'
export {
  asFilterField,
  type FieldType,
  type FilterField,
  type FilterObject,
  type FilterObjects,
  operatorsOf,
  type Scope,
} from './fields.ts'
export { fold } from './fold.ts'
export { fromJson } from './from-json.ts'
export { type FilterInput, FilterTextOrJson } from './json.ts'
export { cutMarkRuns, hasLongMarkRun, isStorable, limits, longestSearch, mostMarks, overLimit } from './limits.ts'
export type { Here, Interval } from './moments.ts'
export { parse } from './parse.ts'
export { parser } from './parser.ts'
export type { Parsed, Place } from './places.ts'
export { print } from './print.ts'
export {
  findReference,
  mapReferences,
  type Named,
  namedIn,
  type Reference,
  type References,
  referencesIn,
  referenceTo,
} from './references.ts'
export { type Resolved, resolve, type Situation, type Test } from './resolve.ts'
export { type Condition, everything, type Filter, type Op, operators, ops, type Value } from './tree.ts'
