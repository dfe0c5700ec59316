import { contract, type OperationName } from '../index.ts'

/** What each operation does, in a few words. The build of the web app replaces this by its value, as it does routes.ts. */
export const summaries = Object.fromEntries(
  Object.entries(contract).map(([name, { summary }]) => [name, summary]),
) as Record<OperationName, string>
