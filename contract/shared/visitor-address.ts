// Visitors of a website chat have an address of our own, which no one can write to and no one should read.

export const isVisitorAddress = (address: string) => address.endsWith('@chat.invalid')

/** What people are shown of an address. Undefined: nothing. */
export const shownAddress = (address: string | null | undefined) =>
  address && !isVisitorAddress(address) ? address : undefined

/** Who someone is, in words. */
export const nameOrAddress = (name: string | null | undefined, address: string | null | undefined) =>
  name || (address && isVisitorAddress(address) ? 'Visitor' : address) || undefined
