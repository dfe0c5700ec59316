import { contract, type OperationName } from '../index.ts'
import type { Operation } from '../operation.ts'

/** All that a client needs to know to call an operation. */
export type Route = Pick<Operation, 'http' | 'mount' | 'body' | 'file' | 'page'>

/** The build of the web app replaces this by its value, so that pages do not load every schema of the contract. */
export const routes = Object.fromEntries(
  Object.entries(contract).map(([name, operation]) => {
    const { http, mount, body, file, page }: Route = operation
    return [name, { http, mount, body, file, page }]
  }),
) as Record<OperationName, Route>
