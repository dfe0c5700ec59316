// What a catalog of MCP consists of: tools, resources and prompts, and how they are called.

import type { Effect, Operation } from '../../../contract/operation.ts'
import type { Access } from '../../../contract/shared/access.ts'
import type { Caller } from '../../kernel/context.ts'

export type Json = Record<string, unknown>

/** A call in progress. */
export type Call = {
  caller: Caller
  params: Json
  meta: Json
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Sends a notification about this call before its response. */
  notify(method: string, params: Json): void
}

type Offered<Listing extends Json> = { listing: Listing; access: Access }

/** The answer of a tool as JSON text, which is sent in two forms without parsing or serializing it again. */
export class Answer {
  readonly text: string
  readonly isError: boolean
  constructor(text: string, isError = false) {
    this.text = text
    this.isError = isError
  }
}
export type Tool = Offered<{ name: string; [more: string]: unknown }> &
  Pick<Operation, 'on' | 'also'> & {
    effect: Effect
    /** Its names in an earlier release, which are not listed. */
    replaces?: string[]
    /** The operation that it calls, for the request log. */
    operation?: string
    call(args: Json, call: Call): Promise<Json | Answer>
  }
export type Resource = Offered<{ uri: string; name: string; [more: string]: unknown }> & {
  read(call: Call): Promise<Json[]>
}
export type Template = Offered<{ uriTemplate: string; name: string; [more: string]: unknown }> & {
  /** The contents, or undefined if the template does not match the URI. */
  read(uri: string, call: Call): Promise<Json[] | undefined>
  complete?: Complete
}
export type Prompt = Offered<{
  name: string
  arguments?: { name: string; description?: string; required?: boolean }[]
  [more: string]: unknown
}> & {
  get(args: Record<string, string>, call: Call): Promise<Json>
  complete?: Complete
}
export type Complete = (argument: string, value: string, call: Call) => Promise<string[]>

export type Catalog = { tools: Tool[]; resources: Resource[]; templates: Template[]; prompts: Prompt[] }
