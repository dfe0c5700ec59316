import { randomUUIDv7 } from 'node:crypto'
import type { AuditAction, doors } from '../../contract/audit.ts'
import type { Operation } from '../../contract/operation.ts'
import {
  type Access,
  type Grant,
  type RecordAccess,
  type RecordRights,
  recordAccesses,
} from '../../contract/shared/access.ts'
import type { EventName, EventPayload } from '../../contract/shared/events.ts'
import { mayWithOne } from '../../contract/shared/rights-on-one.ts'
import type { Db } from '../platform/db.ts'
import type { Statement } from './statement.ts'

export type Door = (typeof doors)[number]

/** The user that a call acts as, read from the database for each call. */
export type Actor = {
  company_id: string
  company_name: string
  user_id: string
  name: string
  email: string | null
  kind: string
  theme: string
  language: string | null
  time_zone: string | null
  shortcuts: boolean
  picture_id: string | null
  away_from: string | null
  away_until: string | null
  role: string
  is_admin: boolean
  grants: Grant[]
  records: RecordRights
  /** Increases with every change to objects, fields, rates and time zone. A schema cached for another version is outdated. */
  schema_version: number
  api_key_id: string | null
}

/** Only for requests of the web app: the visitor's cookies, and whether the visitor is on this machine. */
export type WebVisit = {
  token: string | null
  /** The token of a browser that signed in before. It gives no access. */
  device: string | null
  isLocal: boolean
  begin(token: string): void
  end(): void
  rememberDevice(token: string): void
}

/** An incoming file. It can be read once, before the transaction. */
export type Upload = {
  content: AsyncIterable<Uint8Array>
  /** In bytes, if known. */
  length: number | null
}

/** A body as it came, for verifying its signature. */
export type Signed = { body: Buffer; headers: Record<string, string | string[] | undefined>; query: string }

/** Only for requests under /public: the site that the request comes from. */
export type Visit = {
  /** Another site; null: none or our own. A browser that hides it says `null` as text. */
  origin: string | null
  /** Lets the page of that site read the response, also if it is an error. */
  allow(): void
  /** The company that the address names. Anyone can name any company. */
  company_id?: string | undefined
}

export type Caller = {
  door: Door
  request_id: string
  ip: string
  client: string | null
  actor: Actor | null
  /** Set if something other than the actor acts. */
  principal?: Principal
  web: WebVisit | null
  visit?: Visit
  /** Set if the body of the operation is an upload. */
  upload?: Upload
  /** Set if the body of the operation is signed. */
  signed?: Signed
  /** The lead sources that a lead has passed, if another Kith sends it. */
  leadPath?: string
  /** Calls `act` if the client disconnects before the response. Returns a function that stops this. */
  onDisconnect?: (act: () => void) => () => void
  /** Whether the caller has cancelled the call, and so expects that it changes nothing. */
  isCancelled?: () => boolean
}

/**
 * What acts, if it is not a user. Rights always come from `actor`, which is the owner of a source, channel or rule. The
 * system has no rights, so that it can only do its own task.
 */
export type Principal = {
  kind: 'source' | 'channel' | 'rule' | 'system'
  id: string | null
  name: string
}

/** Whether errors may name other records. Those of forms and rules are also read by people with fewer rights. */
export const mayNameRecords = ({ principal }: Pick<Caller, 'principal'>) => !principal

/** Kith itself, for a task such as emptying the trash. */
export function bySystem(company_id: string, schema_version: number, task: string): Caller {
  const none = { name: 'Kith', email: null, kind: 'system', role: '', is_admin: false, grants: [], records: {} }
  const unused = {
    theme: '',
    language: null,
    time_zone: null,
    shortcuts: false,
    picture_id: null,
    away_from: null,
    away_until: null,
    company_name: '',
  }
  return {
    door: 'automation',
    request_id: randomUUIDv7(),
    ip: '',
    client: null,
    principal: { kind: 'system', id: null, name: task },
    actor: { ...none, ...unused, company_id, schema_version, user_id: '', api_key_id: null },
    web: null,
  }
}

export type Patch = Record<string, { from: unknown; to: unknown }>
export type Changed = {
  object: string
  record_id: string
  action: 'created' | 'updated' | 'deleted' | 'restored'
  fields: Patch
  /** The version of the record after this change. */
  version?: number
}

/** What happened during a call, written in its transaction. */
export type Notes = {
  /** The id of the change set. */
  id: string
  /** Rows and statements of the handler, sent together with the notes to save round trips. */
  inserts: { table: string; rows: object[] }[]
  writes: Statement[]
  /** Statements that run after the others, in the same transaction. */
  after: Statement[]
  /** For jobs, whose steps share one change set: how many changes it already has. */
  span?: { position: number }
  /** The change set that this call undoes. */
  undo_of?: string
  /** Turns an error of the last statement into a readable one, if it can. */
  explain?: (error: unknown, db: Db) => Promise<Error | undefined>
  /** The version of the company's schema that the rows were checked against. */
  schema?: { company_id: string; version: number }
  changes: Changed[]
  events: { company_id: string; event: EventName; payload: unknown }[]
  audit: {
    company_id: string
    actor_id: string | null
    action: AuditAction
    target_id: string | null
    data: Record<string, unknown>
  }[]
}

export type Context = Caller & {
  /** The transaction of a write, or the database itself for a read. */
  db: Db
  now: Date
  change_set_id: string
  /** Queues rows, or a statement that writes, to be sent together with the notes. */
  insert(table: string, rows: object[]): void
  write(statement: Statement): void
  /** Queues a statement that must run after the others. */
  afterwards(statement: Statement): void
  /** Restarts the call if objects or fields have changed since they were read. */
  checkedAgainst(schema: NonNullable<Notes['schema']>): void
  undoing(change_set_id: string): void
  explain(words: NonNullable<Notes['explain']>): void
  changed(change: Changed): void
  emit<Name extends EventName>(event: Name, payload: EventPayload<Name>, company_id?: string): void
  audit(
    action: AuditAction,
    about?: { target_id?: string; data?: Record<string, unknown>; by?: Pick<Actor, 'company_id' | 'user_id'> },
  ): void
}

/** What a read needs to know of its caller. */
export type Reader = Pick<Context, 'actor' | 'db' | 'now' | 'principal'>

/** For handlers whose access is not public: `run` has already made sure that there is an actor. */
export function actorOf(context: Pick<Caller, 'actor'>): Actor {
  if (!context.actor) throw new Error('This operation needs an actor; its access must not be public')
  return context.actor
}

/** The only rule for who may call which operation. */
export function mayCall(actor: Actor | null, { access, webOnly }: Pick<Operation, 'access' | 'webOnly'>): boolean {
  return may(actor, access) && !(webOnly && actor?.api_key_id)
}

/** Whether there is an object for which the operation would not refuse the actor: for lists of what one can do. */
export function canUse(actor: Actor | null, { access, on, also = [] }: Pick<Operation, 'access' | 'on' | 'also'>) {
  if (!may(actor, access)) return false
  if (!isRecordAccess(access) || actor!.is_admin) return true
  return mayWithOne(actor!.records, [access, ...also], on)
}

export function may(actor: Actor | null, access: Access): boolean {
  if (access === 'public') return true
  if (!actor) return false
  if (access === 'member') return true
  if (actor.is_admin) return true
  if (isRecordAccess(access)) return mayWithOne(actor.records, [access])
  return access !== 'admin' && actor.grants.includes(access)
}

const isRecordAccess = (access: Access): access is RecordAccess => recordAccesses.includes(access as RecordAccess)
