// The first and the last name in the full name of a person.
import { isNameTitle } from '../duplicates/names.ts'

/** The last word is the last name, or what comes before a comma: "Smith, John". */
export function personNames(text: string): [first: string | undefined, last: string | undefined] {
  const [family, given] = inverted(text) ?? []
  if (given) return [given, family]
  const words = text.trim().split(/\s+/)
  // The degree in "Anna Berg, MBA" belongs to the last name.
  const end = words.findIndex((word) => word.endsWith(',')) + 1 || words.length
  if (end === 1) return [words.join(' '), undefined]
  return [words.slice(0, end - 1).join(' '), words.slice(end - 1).join(' ')]
}

/** "Smith, John" as it is said. */
export function uninverted(text: string): string | undefined {
  const [family, given] = inverted(text) ?? []
  return given && `${given} ${family}`
}

function inverted(text: string): [family: string, given: string] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const [family, given] = parts
  return parts.length === 2 && family && given && !isNameTitle(given) ? [family, given] : undefined
}
