// A path names a field, possibly of a related record: `country`, `organization.country`.
import { isKeyword } from './keywords.ts'

const plain = /^[A-Za-z][A-Za-z0-9_]*$/

/** A path in JSON: keys joined by dots. */
export const pathPattern = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*$/

/** Other names, such as labels with spaces, keep their backticks in the tree until they are checked. */
export const joinPath = (names: string[]) => names.map((name) => (plain.test(name) ? name : `\`${name}\``)).join('.')

export const splitPath = (path: string) => [...path.matchAll(/`([^`]*)`|[^.`]+/g)].map((part) => part[1] ?? part[0])

export const printPath = (path: string) =>
  splitPath(path)
    .map((name) => (plain.test(name) && !isKeyword(name) ? name : `\`${name}\``))
    .join('.')
