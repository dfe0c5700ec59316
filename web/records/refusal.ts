import { fieldErrors, wordsOf } from '../ui/form-errors.ts'

/** Programs are told the id of a record that is in the way; people know it by its name. */
const idInWords = / \([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\)/gi
export const withoutIds = (words: string) => words.replace(idInWords, '')

/** Why a value was refused, in one sentence for the place where it was typed. */
export const refusalOf = (error: unknown) => withoutIds(Object.values(fieldErrors(error))[0] ?? wordsOf(error))
