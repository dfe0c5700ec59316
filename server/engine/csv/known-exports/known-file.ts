// How a table says what the columns of another product become.
import type { builtIn } from '../../../../contract/built-in/objects.ts'
import type { systems } from '../../../../contract/moves.ts'
import { skipRowField } from '../../../../contract/shared/import-targets.ts'

export type System = (typeof systems)[number]

/**
 * A built-in field, or a part of one such as amount.currency or about.deals; `oldId` or `noField`; `ids`: the field whose
 * records the IDs are of; `out`: why it is left out, although it has nothing that would be missed.
 */
export type KnownColumn = string | { ids: string } | { out: string }

/** The IDs that the records of the file have in the old system. */
export const oldId = 'old id'
/** There is no built-in field for it, whatever it looks like. */
export const noField = 'no field'
/** Whether the row is left out. */
export const skipRow = skipRowField.key

export const ids = (field: string): KnownColumn => ({ ids: field })
const out = (reason: string): KnownColumn => ({ out: reason })

export const calculated = out('Kith calculates it')
export const history = out('The history of records begins with the move')
export const settings = out('It is a setting of the old system')
export const labels = out('Kith keeps no labels of addresses and phone numbers')
export const sameElsewhere = out('Other columns say the same')

/** Several columns that become the same. */
export const each = (to: KnownColumn, ...headers: string[]): Record<string, KnownColumn> =>
  Object.fromEntries(headers.map((header) => [header, to]))

/** What the rows of a file are, as an object of ours. */
export type Into = {
  object: keyof typeof builtIn
  /** By header. Of several for a field with one value, the first that is filled. Numbers in a header do not matter. */
  columns: Record<string, KnownColumn>
  /** What all records are, by field, if no column says so: calls are calls. */
  implied?: Record<string, string>
}

export type FileContent = { name: string; cellsOf: (header: string) => string[] }
export type Decision = { object: Into['object']; note?: string }

export type KnownFile = {
  /** Each matches a column. */
  signs: RegExp[]
  /** With what its headers may begin: "Deal - Title". */
  prefix?: string
  /** The usual object first. */
  into: [Into, ...Into[]]
  /** For rows of several kinds: what these are. */
  decide?: (file: FileContent) => Decision
}

export type KnownExports = { system: System; files: KnownFile[] }
