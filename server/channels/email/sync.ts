// Brings one folder up to date: reads what is missing here, newest first, and forgets the places of what is not there
// any more. Usually it only asks the server for what changed. Once a day, and whenever something does not add up, it
// compares the whole folder, so nothing is lost however often it was interrupted.

import { type Changes, changesSince } from './changes.ts'
import { takeMessages } from './download.ts'
import type { Folder } from './folders.ts'
import { knownUids, noteUnseen, noteUnseenAmong, placesAmong, removePlaces } from './places.ts'
import { noteRead } from './read-elsewhere.ts'
import type { Comparison, Mark, OpenFolder, Session } from './session.ts'
import { forgetMark, markOf, noteChanges, noteProgress, noteValidity } from './state.ts'

const chunk = 50
const mostTries = 3

/** Works for about this long, so that new messages of other folders do not have to wait. False: there is more. */
export async function syncFolder(session: Session, folder: Folder, budgetMs: number): Promise<boolean> {
  const { client } = session
  const lock = await client.getMailboxLock(folder.path, { readOnly: true })
  try {
    if (!client.mailbox) throw new Error('The folder was closed')
    const open: OpenFolder = { ...folder, uidValidity: Number(client.mailbox.uidValidity) }
    await noteValidity(session, open)
    const mark = await markOf(session, open)
    const changes = mark && (await changesSince(session, open, mark))
    const end = performance.now() + budgetMs
    return await (changes ? takeChanges(session, open, mark, changes, end) : takeAll(session, open, end))
  } finally {
    lock.release()
  }
}

async function takeChanges(session: Session, folder: OpenFolder, mark: Mark, changes: Changes, end: number) {
  const { db, channel } = session
  const known = await placesAmong(db, channel, folder, changes.uids)
  const missing = await inTime(
    session,
    changes.uids.filter((uid) => !known.has(uid)),
  )
  const all = [...missing]
  // If the process ends before the figures are written, the folder is compared.
  if (all.length) await forgetMark(session, folder)
  const isDone = await takeSome(session, folder, missing, end)
  const added = all.slice(0, all.length - missing.length)
  const removed = await removePlaces(db, channel, folder, isDone ? changes.gone : [])
  if (isDone && folder.role !== 'sent')
    await noteRead(session, (tx) =>
      changes.unseen.isComplete
        ? noteUnseen(tx, channel, folder, changes.unseen.uids)
        : noteUnseenAmong(tx, channel, folder, changes.uids, changes.unseen.uids),
    )
  await noteChanges(session, folder, { added, removed, mark: isDone ? changes.mark : mark })
  return isDone
}

async function takeAll(session: Session, folder: OpenFolder, end: number) {
  const { channel, client, since, comparisons } = session
  const begun = comparisons.get(folder.path)
  const comparison = begun?.uidValidity === folder.uidValidity ? begun : await compare(session, folder)
  comparisons.set(folder.path, comparison)
  const isDone = await takeSome(session, folder, comparison.missing, end)
  if (isDone) {
    comparisons.delete(folder.path)
    const unseen = folder.role !== 'sent' && (await client.search({ since, seen: false }, { uid: true }))
    if (unseen) await noteRead(session, (tx) => noteUnseen(tx, channel, folder, unseen))
  }
  await noteProgress(session, folder, comparison.uids.length, isDone ? comparison.mark : null)
  return isDone
}

async function compare({ client, db, channel, since, clock }: Session, folder: OpenFolder): Promise<Comparison> {
  const mailbox = () => client.mailbox as Exclude<typeof client.mailbox, false>
  // From before the search: what changes meanwhile is found by the next look.
  const { highestModseq } = mailbox()
  let exists: number
  let uids: number[] | false | undefined
  let tries = 0
  // If the count did not match the list, the next sync would compare the folder again.
  do {
    exists = mailbox().exists
    uids = await client.search({ since }, { uid: true })
    if (!uids) throw new Error('The server did not list the messages of the folder')
  } while (mailbox().exists !== exists && ++tries < mostTries)
  const known = await knownUids(db, channel, folder)
  const there = new Set(uids)
  const gone = [...known].filter((uid) => !there.has(uid))
  if (gone.length) await removePlaces(db, channel, folder, gone)
  const mark: Mark = {
    modseq: highestModseq ? String(highestModseq) : null,
    uid_next: (uids.at(-1) ?? 0) + 1,
    exists,
    compared_at: clock().toISOString(),
  }
  const missing = uids.filter((uid) => !known.has(uid)).toSorted((a, b) => b - a)
  return { uidValidity: folder.uidValidity, uids, missing, mark }
}

/** Takes from the list. False: there is more. */
async function takeSome(session: Session, folder: OpenFolder, missing: number[], end: number) {
  while (missing.length && performance.now() < end && !session.signal.aborted)
    await takeMessages(session, folder, missing.splice(0, chunk))
  return !missing.length && !session.signal.aborted
}

/** Messages that are older than what is read can be moved here. Newest first. */
async function inTime({ client, since }: Session, uids: number[]) {
  const found: number[] = []
  for (let from = 0; from < uids.length; from += 1000) {
    const uid = uids.slice(from, from + 1000).join(',')
    found.push(...((await client.search({ since, uid }, { uid: true })) || []))
  }
  return found.toSorted((a, b) => b - a)
}
