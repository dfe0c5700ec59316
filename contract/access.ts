import * as z from 'zod'
import { own } from './own.ts'

/** What a role may be granted beyond its rights on records. An Admin has all of them. */
export const grants = [
  'records.export',
  'messages.send',
  'company.manage',
  'members.manage',
  'objects.manage',
  'webhooks.manage',
  'leads.manage',
  'lead_sending.manage',
  'audit.read',
  'requests.read',
] as const
export type Grant = (typeof grants)[number]

/** What a role must allow for at least one object; for which, the operation itself finds out. */
export const recordAccesses = ['records.read', 'records.create', 'records.edit', 'records.delete'] as const
export type RecordAccess = (typeof recordAccesses)[number]

/**
 * Who may call an operation.
 * public: anyone, in the web app only. member: any user. admin: an Admin.
 * records.*: whoever may do that with some object. Otherwise: whoever holds that grant.
 */
export type Access = 'public' | 'member' | 'admin' | RecordAccess | Grant

/** On whose records: all, those of the user itself, or none. */
export const reaches = ['all', 'own', 'none'] as const
export type Reach = (typeof reaches)[number]

export const ObjectRights = z
  .strictObject({
    read: z.enum(reaches),
    create: z.boolean(),
    edit: z.enum(reaches),
    delete: z.enum(reaches),
  })
  .meta({ id: 'ObjectRights' })
export type ObjectRights = z.output<typeof ObjectRights>

/** Rights by the key of an object; `*` stands for every object that is not named. */
export const RecordRights = z
  .record(z.union([z.literal('*'), z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)]), ObjectRights)
  .refine((rights) => '*' in rights, 'Say with * what holds for the other objects')
export type RecordRights = z.output<typeof RecordRights>

export const everything: ObjectRights = { read: 'all', create: true, edit: 'all', delete: 'all' }
export const memberRights: RecordRights = { '*': { ...everything, delete: 'own' } }
export const memberGrants: Grant[] = ['records.export', 'messages.send']

/** Whether a role may do that with at least one object. */
export function mayWithSome(rights: RecordRights, access: RecordAccess) {
  const right = access.slice('records.'.length) as keyof ObjectRights
  return Object.values(rights).some((one) => one[right] !== 'none' && one[right] !== false)
}

export const rightsOn = (rights: RecordRights, object: string): ObjectRights => own(rights, object) ?? rights['*']!
