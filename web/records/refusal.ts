import { ApiError } from '../api.ts'
import { fieldErrors, wordsOf } from '../ui/form-errors.ts'

/** Without a connection nobody has refused anything: it goes out when it can. */
const waits = (error: unknown) => error instanceof ApiError && error.isAway

/** Why a value was refused, in one sentence for the place where it was typed. */
export const refusalOf = (error: unknown) =>
  waits(error) ? 'Waits for the connection' : (Object.values(fieldErrors(error))[0] ?? wordsOf(error))
