// The images of a message as data URLs, so that the page that shows it loads nothing.

import { Parser } from 'htmlparser2'
import { type Files, readFile } from '../../files/queries.ts'
import { typeOf } from '../../files/sniff.ts'
import { inParallel } from '../../platform/in-parallel.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import type { MessageFile } from '../thread/message.ts'

const mostBytes = 5 * 1024 * 1024
const mostInAll = 20 * 1024 * 1024
const mostRemote = 100
const atOnce = 6
const timeoutMs = 8000

/** Files that the message shows, by content ID. */
export async function embeddedImages(files: Files, company_id: string, html: string, listed: MessageFile[]) {
  const images = new Map<string, string>()
  let bytes = 0
  const ids = contentIdsIn(html)
  for (const file of listed) {
    const id = file.content_id?.replace(/^<|>$/g, '')
    if (!id || !ids.has(id) || file.size > mostBytes || bytes + file.size > mostInAll) continue
    const content = await readFile(files, { company_id, id: file.id })
    if (!content) continue
    const read = Buffer.concat(await Array.fromAsync(content))
    bytes += read.length
    images.set(id, urlOf(read))
  }
  return images
}

/** Fetched by the server, which says nothing about the reader. What does not arrive is left out. */
export async function remoteImages(fetch: PublicFetch, html: string) {
  const images = new Map<string, string>()
  let bytes = 0
  const load = async (url: string) => {
    // An image that cannot be loaded is shown as missing.
    const answer = await fetch(url, { timeoutMs, mostBytes, allowHttp: true }).catch(() => undefined)
    if (answer?.status !== 200) return
    bytes += answer.body.length
    images.set(url, urlOf(answer.body))
  }
  await inParallel(atOnce, [...seenIn(html)].slice(0, mostRemote), load, () => bytes < mostInAll)
  return images
}

const urlOf = (content: Buffer) => `data:${typeOf(content.subarray(0, 8192))};base64,${content.toString('base64')}`

/** Remote images, but those inside of something that no one sees. */
function seenIn(html: string) {
  const found = new Set<string>()
  let hidden = 0
  const parser = new Parser({
    onopentag(_, { 'data-unseen': unseen, 'data-remote': url }) {
      if (hidden || unseen === 'all') hidden++
      else if (url) found.add(url)
    },
    onclosetag() {
      if (hidden) hidden--
    },
  })
  parser.end(html)
  return found
}

function contentIdsIn(html: string) {
  const found = html.matchAll(/ data-cid="([^"]*)"/g)
  return new Set([...found].map(([, name]) => unescaped(name!)))
}

const signs: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const unescaped = (text: string) => text.replace(/&(?:quot|lt|gt|amp);/g, (sign) => signs[sign]!)
