/** Who or what was meant by a name. `is_active`: of a user, who may have been deactivated. */
export type Match = { id: string; title: string; is_active?: boolean }

/** More than one is too many already; so many are shown. */
export const mostMatches = 6

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isId = (text: string) => uuid.test(text)
