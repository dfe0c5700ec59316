// Brings one folder up to date: reads what is missing here, newest first, and forgets the places of what is not there
// any more. It compares the whole folder, so nothing is lost however often it was interrupted.

import type { Folder } from './folders.ts'
import { knownUids, removePlaces } from './places.ts'
import { followSeen } from './seen.ts'
import type { OpenFolder, Session } from './session.ts'
import { noteProgress, noteValidity } from './state.ts'
import { takeMessages } from './take.ts'

const chunk = 50

/** Works for about this long, so that new messages of other folders do not have to wait. False: there is more. */
export async function syncFolder(session: Session, folder: Folder, budgetMs: number): Promise<boolean> {
  const { client, db, channel, since, signal } = session
  const lock = await client.getMailboxLock(folder.path, { readOnly: true })
  try {
    if (!client.mailbox) throw new Error('The folder was closed')
    const open: OpenFolder = { ...folder, uidValidity: Number(client.mailbox.uidValidity) }
    await noteValidity(session, open)
    const uids = await client.search({ since }, { uid: true })
    if (!uids) throw new Error('The server did not list the messages of the folder')
    const known = await knownUids(db, channel, open)
    const there = new Set(uids)
    const gone = [...known].filter((uid) => !there.has(uid))
    if (gone.length) await removePlaces(db, channel, open, gone)
    const missing = uids.filter((uid) => !known.has(uid)).toSorted((a, b) => b - a)
    const end = performance.now() + budgetMs
    while (missing.length && performance.now() < end && !signal.aborted)
      await takeMessages(session, open, missing.splice(0, chunk))
    if (!missing.length && folder.role !== 'sent') await followSeen(session, open)
    await noteProgress(session, open, uids, !missing.length)
    return !missing.length
  } finally {
    lock.release()
  }
}
