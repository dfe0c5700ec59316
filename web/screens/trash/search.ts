import { isId } from '../../../contract/shared/ids.ts'

/** The filters as they stand in the address: they stay when another object is chosen. */
export type TrashSearch = { q?: string; by?: string }

export const readTrashSearch = ({ q, by }: Record<string, unknown>): TrashSearch => ({
  ...(typeof q === 'string' && q && { q: q.slice(0, 200) }),
  ...(isId(String(by)) && { by: String(by) }),
})
