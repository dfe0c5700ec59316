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
  createUser: () => ({ name: 'New', email: `${randomUUID()}@example.com` }),
  changeUserRole: () => ({ id: randomUUID(), role: 'Member' }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ name: 'Laptop' }),
  renameApiKey: () => ({ id: randomUUID(), name: 'Desk' }),
  deleteApiKeys: () => ({ ids: [randomUUID()] }),
  getCompany: () => ({}),
  updateCompany: () => ({ name: `Company ${randomUUID()}` }),
  listUsers: () => ({ limit: 5 }),
  listChanges: () => ({ limit: 5 }),
  queryAuditLog: () => ({ limit: 5 }),
  listRequests: () => ({ limit: 5 }),
}

/** What operations answer to those who may call them when the sample's secret is wrong or its id is nobody's. */
export const refusals: Partial<Record<OperationName, number>> = {
  setUp: 409,
  signIn: 401,
  changePassword: 422,
  changeUserRole: 404,
  renameApiKey: 404,
  deleteApiKeys: 404,
}
