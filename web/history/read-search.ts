import { isId } from '../../contract/ids.ts'

/** The filters as they stand in the address; days are those of the reader's time zone. */
export type ActivitySearch = { key?: string; client?: string; by?: string; from?: string; to?: string }

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

export function readSearch(given: Record<string, unknown>): ActivitySearch {
  const fitting = (value: unknown, fits: (text: string) => boolean) => (fits(String(value)) ? String(value) : undefined)
  const search = {
    key: fitting(given.key, isId),
    client: given.client === undefined ? undefined : String(given.client).slice(0, 200) || undefined,
    by: fitting(given.by, isId),
    from: fitting(given.from, isDay),
    to: fitting(given.to, isDay),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
