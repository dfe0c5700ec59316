// Which product wrote a file, by the columns that only its exports have.
import type { systems } from '../../../contract/moves.ts'

type System = (typeof systems)[number]

/** Each pattern must match a column. */
const signs: Record<System, RegExp[]> = {
  Pipedrive: [/^(Deal|Person|Organization|Activity|Note|Lead|Product) - \w/],
  'Google Contacts': [/^(E-mail|Phone) 1 - (Value|Label|Type)$/],
  Outlook: [/^E-mail Address$/, /^(Business|Home) (Street|Phone|City)$/],
  Salesforce: [/^Id$/, /^(IsDeleted|SystemModstamp|CreatedById|OwnerId|LastModifiedById)$/],
  Attio: [/^Record ID$/, /^(Record|Email addresses|Domains|Deal stage|List entries|.+ > .+)$/],
  HubSpot: [/^Record ID$/, /^((Contact|Company|Deal) owner|Associated \w+|Create Date|Lifecycle Stage|Deal Stage)/],
  Twenty: [/^Id$/, /^(.+ Id|Creation date|.+ \/ .+)$/],
}

export function systemOf(columns: string[]): System | undefined {
  const known = Object.entries(signs) as [System, RegExp[]][]
  return known.find(([, patterns]) => patterns.every((pattern) => columns.some((column) => pattern.test(column))))?.[0]
}

/** That of most files. */
export function commonSystem(found: (System | undefined)[]): System | null {
  const counts = Map.groupBy(
    found.filter((one) => one !== undefined),
    (one) => one,
  )
  const [most] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  return most?.[0] ?? null
}
