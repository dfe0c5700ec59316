/** A user or record that matches a name. `is_active`: only for users, who may be deactivated. */
export type Match = { id: string; title: string; is_active?: boolean }

/** How many matches an error about an ambiguous name shows. */
export const mostMatches = 6
