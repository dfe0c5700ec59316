/** The filters as they stand in the address, so that a link shows the same; days are those of this browser. */
export type ActivitySearch = { key?: string; client?: string; by?: string; from?: string; to?: string }

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const day = /^\d{4}-\d{2}-\d{2}$/

export function readSearch(given: Record<string, unknown>): ActivitySearch {
  const fitting = (value: unknown, form: RegExp) => (form.test(String(value)) ? String(value) : undefined)
  const search = {
    key: fitting(given.key, id),
    client: given.client === undefined ? undefined : String(given.client).slice(0, 200) || undefined,
    by: fitting(given.by, id),
    from: fitting(given.from, day),
    to: fitting(given.to, day),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
