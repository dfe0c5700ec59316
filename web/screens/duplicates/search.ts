/** Which duplicates are shown, as it stands in the address. Left out: all that are open. */
export type DuplicateSearch = { show?: 'certain' | 'dismissed' }

export const readDuplicateSearch = ({ show }: Record<string, unknown>): DuplicateSearch =>
  show === 'certain' || show === 'dismissed' ? { show } : {}
