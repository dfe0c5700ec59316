import { contract } from '../index.ts'
import { replacedNames } from './replaced.ts'

/** What each operation does, in a few words, also by its names in requests of earlier releases. The build of the web app replaces this by its value, as it does routes.ts. */
export const summaries = Object.fromEntries(
  Object.entries(contract).flatMap(([name, op]) => [name, ...replacedNames(op)].map((each) => [each, op.summary])),
) as Record<string, string>
