import { randomUUID } from 'node:crypto'
import type { OperationName } from '../contract/index.ts'

/** One good input for every operation: an operation without one fails the type check, so none escapes the matrix. */
export const samples: Record<OperationName, () => Record<string, unknown>> = {
  setUp: () => ({ company_name: 'Second', name: 'Eve', email: 'eve@example.com', password: 'correct horse' }),
  getSession: () => ({}),
  signIn: () => ({ email: `${randomUUID()}@example.com`, password: 'wrong horse' }),
  signOut: () => ({}),
  signOutEverywhere: () => ({}),
  changePassword: () => ({ current_password: 'wrong horse', new_password: 'correct horse battery' }),
  whoami: () => ({}),
  updateMe: () => ({ name: `Name ${randomUUID()}` }),
  getCompany: () => ({}),
  updateCompany: () => ({ name: `Company ${randomUUID()}` }),
  listUsers: () => ({ limit: 5 }),
  listChanges: () => ({ limit: 5 }),
  queryAuditLog: () => ({ limit: 5 }),
  listRequests: () => ({ limit: 5 }),
}

/** What operations that ask for a secret of their own answer when it is wrong, as it is in these samples. */
export const refusals: Partial<Record<OperationName, number>> = { setUp: 409, signIn: 401, changePassword: 422 }
