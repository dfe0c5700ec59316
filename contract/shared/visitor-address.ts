// Visitors of a website chat have an internal address, which is never shown and cannot receive messages.

export const isVisitorAddress = (address: string) => address.endsWith('@chat.invalid')

/** The address to display, if any. */
export const shownAddress = (address: string | null | undefined) =>
  address && !isVisitorAddress(address) ? address : undefined

/** The display name of a participant. */
export const nameOrAddress = (name: string | null | undefined, address: string | null | undefined) =>
  name || (address && isVisitorAddress(address) ? 'Visitor' : address) || undefined
