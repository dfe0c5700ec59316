import type * as z from 'zod'
import { check } from '../basics/errors.ts'

/** Says by field what is wrong with the values of a form. */
type Judge = (sent: never) => Record<string, string>
export type Rules = { load: () => Promise<Judge> }

/**
 * The rules of an operation. They are loaded while the form is filled in: a page needs no schema before that. If they
 * cannot be loaded, the server says what is wrong.
 */
export const rulesOf = <Module>(load: () => Promise<Module>, pick: (module: Module) => z.ZodObject | Judge): Rules => ({
  load: async () => {
    const [module] = await Promise.all([load(), import('../../../contract/shared/validation-texts.ts')])
    const rules = pick(module)
    return typeof rules === 'function' ? rules : (sent) => check(rules, sent)
  },
})
