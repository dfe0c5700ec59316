// What an API channel gets, with the files that are fetched for it.
import { AppError } from '../../kernel/app-error.ts'
import { type Offload, workIn } from '../../platform/offload.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import type { Item } from '../gateway/items.ts'
import { mostReadAtOnce } from '../gateway/read-json.ts'
import { createFetching } from './fetch-files.ts'
import { readPosted } from './parse-post.ts'

const inThread = workIn<typeof readPosted>(new URL('./parse-post.ts', import.meta.url), 'readPosted')
/** Messages whose files are fetched at a time. */
const atOnce = 8

type ReadServices = { offload: Offload; fetch: PublicFetch }

export async function itemsOf(
  { offload, fetch }: ReadServices,
  company_id: string,
  body: Buffer,
  now: Date,
): Promise<Item[]> {
  const read = await readItems(offload, company_id, body, now)
  const filesOf = createFetching(fetch)
  const complete: Item[] = []
  for (let i = 0; i < read.length; i += atOnce)
    complete.push(
      ...(await Promise.all(
        read
          .slice(i, i + atOnce)
          .map(async ({ item, given }) => ({ ...item, ...(given.length && (await filesOf(given))) })),
      )),
    )
  return complete
}

async function readItems(offload: Offload, company_id: string, body: Buffer, now: Date) {
  const copy = body.length > mostReadAtOnce ? new Uint8Array(body) : undefined
  const outcome = copy
    ? await offload.run(company_id, inThread, [copy, now], { moved: [copy.buffer] })
    : { value: readPosted(body, now) }
  if ('failure' in outcome) throw new AppError('too_large', 'This request took too long to process. Send less at once.')
  if ('read' in outcome.value) return outcome.value.read
  const { code, message, more } = outcome.value.refused
  throw new AppError(code, message, more)
}
