import * as z from 'zod'
import { operation } from './operation.ts'
import { id } from './shapes.ts'

export const FoundRecord = z
  .strictObject({
    object: z.string(),
    id,
    title: z.string(),
    detail: z.string().nullable().describe('Helps tell it apart, such as an email address'),
  })
  .meta({ id: 'FoundRecord' })

export const search = {
  searchRecords: operation({
    summary: 'Search records',
    http: 'GET /search',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      q: z.string().trim().min(1, 'Enter a search term').max(200).describe('Words or parts of words'),
      limit: z.int().min(1).max(50).default(20).describe('Number of results'),
    }),
    output: z.strictObject({ items: z.array(FoundRecord) }).meta({ id: 'FoundRecords' }),
    tool: 'Finds records of any object by words in their title or text, best match first. Use query_records for filters.',
  }),
}
