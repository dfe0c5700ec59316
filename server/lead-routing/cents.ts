// Amounts are compared and added in whole cents, as the database does, because fractions of floats add up to others.
const cents = (amount: number) => Math.round(amount * 100)

/** Rounded to the cent, as it is stored. */
export const toCents = (amount: number) => cents(amount) / 100
export const sum = (...amounts: number[]) => amounts.reduce((total, amount) => total + cents(amount), 0) / 100
export const exceeds = (amount: number, most: number) => cents(amount) > cents(most)
