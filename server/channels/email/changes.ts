// What changed in an open folder since it was last looked at, as far as the server says so. Servers with QRESYNC report
// everything, those with CONDSTORE what is new or has other flags, and all others at least have UIDs that only grow.

import { dayMs } from '../../platform/times.ts'
import type { Mark, OpenFolder, Session } from './session.ts'

export type Changes = {
  /** New, or with other flags. */
  uids: number[]
  gone: number[]
  /** Of these, or of the whole folder, those that no one has read there. */
  unseen: { uids: number[]; isComplete: boolean }
  /** Up to where the folder is known afterwards. */
  mark: Mark
}

/** Undefined: only a comparison of the whole folder can say. */
export async function changesSince(session: Session, folder: OpenFolder, mark: Mark): Promise<Changes | undefined> {
  const { client, clock } = session
  const { mailbox } = client
  if (!mailbox || clock().getTime() - Date.parse(mark.compared_at) > dayMs) return undefined
  const canAsk = mark.modseq !== null && client.enabled.has('CONDSTORE') && !mailbox.noModseq
  const [reported, before] = [mailbox.highestModseq ?? 0n, mailbox.exists]
  const changes = canAsk ? await byModseq(session, folder, mark, reported) : await byUid(session, mark)
  // Without QRESYNC, nothing says which messages are not there any more, but their number does. What arrives during the
  // question may already be counted, and is found by the next one.
  if (client.enabled.has('QRESYNC') && canAsk) return changes
  return [before, mailbox.exists].includes(changes.mark.exists) ? changes : undefined
}

/** `reported`: known before the question, so the answer has everything up to there. */
async function byModseq({ client }: Session, { path }: OpenFolder, mark: Mark, reported: bigint): Promise<Changes> {
  const [uids, unseen, gone]: [number[], number[], number[]] = [[], [], []]
  const since = BigInt(mark.modseq!)
  let modseq = reported > since ? reported : since
  const note = (event: { path: string; uid?: number | undefined }) => {
    if (event.path === path && event.uid !== undefined) gone.push(event.uid)
  }
  client.on('expunge', note)
  try {
    const query = { uid: true, flags: true } as const
    for await (const message of client.fetch('1:*', query, { uid: true, changedSince: since })) {
      uids.push(message.uid)
      if (!message.flags?.has('\\Seen')) unseen.push(message.uid)
      if (message.modseq && message.modseq > modseq) modseq = message.modseq
    }
  } finally {
    client.off('expunge', note)
  }
  return { uids, gone, unseen: { uids: unseen, isComplete: false }, mark: next(mark, uids, String(modseq)) }
}

async function byUid({ client, since }: Session, mark: Mark): Promise<Changes> {
  // A server answers n:* with the last message even if its UID is smaller.
  const found = (await client.search({ uid: `${mark.uid_next}:*` }, { uid: true })) || []
  const uids = found.filter((uid) => uid >= mark.uid_next)
  const unseen = (await client.search({ since, seen: false }, { uid: true })) || []
  return { uids, gone: [], unseen: { uids: unseen, isComplete: true }, mark: next(mark, uids, mark.modseq) }
}

const next = (mark: Mark, uids: number[], modseq: string | null): Mark => ({
  ...mark,
  modseq,
  uid_next: uids.reduce((most, uid) => Math.max(most, uid + 1), mark.uid_next),
  exists: mark.exists + uids.filter((uid) => uid >= mark.uid_next).length,
})
