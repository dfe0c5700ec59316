import * as z from 'zod'
import { longestSearch } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { id } from './shared/shapes.ts'

const Matched = z
  .strictObject({
    field: z.string().describe('title, or the key of a field'),
    text: z.string().optional().describe('The value, or the part around the match; omitted for the title'),
    ranges: z
      .array(z.tuple([z.int(), z.int()]))
      .describe('Start and end of each match in the text, in UTF-16 code units')
      .meta({ forAgents: 'hidden' }),
  })
  .meta({ id: 'Matched' })

export const FoundRecord = z
  .strictObject({
    object: z.string(),
    id,
    title: z.string(),
    detail: z.string().nullable().describe('Additional information to identify the record, e.g. an email address'),
    matched: z.array(Matched).describe('Matches of the search terms').meta({ forAgents: 'unless empty' }),
  })
  .meta({ id: 'FoundRecord' })

export const search = {
  searchRecords: operation({
    summary: 'Search records',
    http: 'GET /search',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      q: z
        .string()
        .trim()
        .min(1, 'Enter a search term')
        .max(longestSearch)
        .describe('Names, parts of words, emails, phone numbers, domains'),
      objects: z.array(objectKey).min(1).max(20).optional().describe('Only records of these objects'),
      limit: z.int().min(1).max(100).default(20).describe('Number of results'),
    }),
    output: z.strictObject({ items: z.array(FoundRecord) }).meta({ id: 'FoundRecords' }),
    tool: 'Searches records of all objects by title and text, best match first. Use query_records for filters.',
    untrusted: ['title', 'detail', 'text'],
  }),
}
