// Cells that name several users or records, as some products write lists: "Emily Clarke, Sam Clarke", "8801;8802".
import { isId } from '../../../contract/shared/ids.ts'
import { uninverted } from '../cells/person-names.ts'
import { isLegalForm } from '../duplicates/names.ts'

/** What a cell may name. */
export type Names = {
  /** Nothing but a list has these separators, and names may have commas. */
  isList: boolean
  parts: string[]
  /** "Smith, John" as it is said. */
  uninverted: string | undefined
}

/** Undefined: one name. */
export function namesIn(text: string): Names | undefined {
  if (isId(text) || !/[,;\n]| ::: /.test(text)) return undefined
  const listed = split(text, /;|\n| ::: /)
  if (listed.length > 1) return { isList: true, parts: listed, uninverted: undefined }
  const parts = split(text, /,/)
  if (parts.length < 2 || parts.some(isLegalForm)) return undefined
  return { isList: false, parts, uninverted: uninverted(text) }
}

const split = (text: string, by: RegExp) => [...new Set(text.split(by).map((part) => part.trim()))].filter(Boolean)

/** `isPeople`: the cell names users or records with first and last names. */
type Known = { isKnown: (text: string) => boolean; isPeople: boolean }

/**
 * The names in a cell whose whole text is not known; undefined if it names several things that do not all exist, and no one
 * can tell whether it is one name. `John Smith` is found by `Smith, John`, which is one new person if no one is called so.
 */
export function meantBy(text: string, { isList, parts, ...names }: Names, { isKnown, isPeople }: Known) {
  if (isPeople && names.uninverted && isKnown(names.uninverted)) return [names.uninverted]
  const known = parts.filter(isKnown)
  const areFullNames = isPeople && parts.every((part) => /\S\s+\S/.test(part))
  if (isList || known.length === parts.length || areFullNames) return parts
  return known.length ? undefined : [text]
}
