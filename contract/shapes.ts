import * as z from 'zod'

// Shapes that several nouns share.

export const id = z.uuid()
export const moment = z.iso.datetime()
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Enter an e-mail address such as ada@example.com'))
export const personName = z.string().trim().min(1, 'Enter a name').max(100)
export const password = z
  .string()
  .min(8, 'Use at least 8 characters; 15 or more are better')
  .max(128, 'Use at most 128 characters')

export const page = {
  limit: z.int().min(1).max(100).default(20).describe('How many items to return'),
  cursor: z.string().max(500).optional().describe('next_cursor of the page before'),
}
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() })

export const nothing = z.strictObject({})
