// Files of messages that are fetched from where a gateway or a provider has them. What cannot be had is named in the
// message, so that the message itself arrives.
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncomingFile } from '../../inbox/channels/channel.ts'
import { OutboundError } from '../../platform/public-fetch.ts'

/** A file that could not be loaded, and why. */
export type Missing = { name: string; reason: string }
export type Files = { files: IncomingFile[]; missing: Missing[] }
type Loaded = { content: Uint8Array } | { reason: string; isTemporary: boolean }

const pausesMs = [300, 1500]

/** A few attempts, because the gateway waits for the answer. A server that does not answer in time gets only one. */
export async function attempted(load: () => Promise<{ status: number; body: Buffer }>): Promise<Loaded> {
  for (const pauseMs of pausesMs) {
    const loaded = await once(load)
    if ('content' in loaded || !loaded.isTemporary) return loaded
    await sleep(pauseMs)
  }
  return once(load)
}

async function once(load: () => Promise<{ status: number; body: Buffer }>): Promise<Loaded> {
  try {
    const { status, body } = await load()
    if (status === 200) return { content: body }
    return { reason: `The server responded with ${status}.`, isTemporary: status === 429 || status >= 500 }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const reason = error.code === 'too_large' ? 'It is too large.' : error.message
    return { reason, isTemporary: error.code === 'unreachable' }
  }
}

/** Adds what was loaded to the files of a message. */
export function put({ files, missing }: Files, { name, type }: { name: string; type: string }, loaded: Loaded) {
  if ('content' in loaded) files.push({ name, type, content: loaded.content, contentId: null, isInline: false })
  else missing.push({ name, reason: loaded.reason })
}
