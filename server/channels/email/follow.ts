// Follows a mailbox as long as its connection lives: reads all folders, then waits for news of the inbox by IDLE and
// looks at the other folders now and then.
import { setTimeout as sleep } from 'node:timers/promises'
import { LostLease } from '../../kernel/leases.ts'
import { type Folder, foldersOf, statusQuery } from './folders.ts'
import { putCopies } from './sent-copies.ts'
import type { Session } from './session.ts'
import { announceChannel, noteFolderError, noteFolders, noteState, pause, stateNow } from './state.ts'
import { syncFolder } from './sync.ts'
import { noteFirstSync } from './sync-job.ts'

export type Pace = {
  /** How often the folders other than the inbox are looked at. */
  pollMs: number
  /** How long a folder is worked on before others get a turn. */
  sliceMs: number
}
export const usualPace: Pace = { pollMs: 60_000, sliceMs: 2000 }
const restMs = 1000

/** Ends by throwing, when the connection does. `synced` is called each time everything is here. */
export async function followMailbox(session: Session, { pollMs, sliceMs }: Pace, synced: () => void) {
  const { client, db, channel, clock, signal } = session
  /** What each folder was like when it was read. */
  const seen = new Map<string, string>()
  const news = newsOf(session)

  while (!signal.aborted) {
    const folders = await foldersOf(client)
    const inbox = folders.find(({ role }) => role === 'inbox')
    await noteFolders(session, folders)
    await putCopies(session, folders)
    for (const folder of folders.filter(isChanged)) {
      await readFolder(folder, inbox)
      seen.set(folder.path, marks(folder))
    }
    await report()
    for (const end = performance.now() + pollMs; performance.now() < end && !signal.aborted; ) {
      if (inbox && (await isBehind(inbox)) && (await syncFolder(session, inbox, sliceMs))) await report()
      if (!news.isWaiting()) await idleUntil(end)
    }
  }

  function isChanged(folder: Folder) {
    return !folder.status || seen.get(folder.path) !== marks(folder)
  }

  async function readFolder(folder: Folder, inbox: Folder | undefined) {
    try {
      while (!(await syncFolder(session, folder, sliceMs)) && !signal.aborted) {
        await report()
        if (folder !== inbox && inbox && (await hasNews(inbox))) await syncFolder(session, inbox, sliceMs)
      }
    } catch (error) {
      // The server does not open this folder; others can be read all the same.
      if (!isRefused(error) || !client.usable) throw error
      await noteFolderError(
        session,
        folder,
        (error as { responseText?: string }).responseText ?? 'The server refused it.',
      )
    }
  }

  async function hasNews(inbox: Folder) {
    const status = await client.status(inbox.path, statusQuery)
    return status && seen.get(inbox.path) !== marks({ ...inbox, status })
  }

  /** Opens the inbox, which the server then reports on, and tells whether something has happened in it. */
  async function isBehind(inbox: Folder) {
    const isOpen = client.mailbox && client.mailbox.path === inbox.path
    const hasHappened = news.take()
    if (isOpen) return hasHappened
    await client.mailboxOpen(inbox.path, { readOnly: true })
    return true
  }

  async function idleUntil(end: number) {
    const began = performance.now()
    // If the connection has ended, that is found out below.
    const idling = client.idle().catch(() => false)
    await Promise.race([idling, news.next(), sleep(Math.max(0, end - began), undefined, { ref: false })])
    // A server that ends IDLE at once is not asked again at once.
    if (!news.isWaiting() && performance.now() - began < restMs) await sleep(restMs)
    if (!client.usable) throw new Error('The connection has ended')
  }

  async function report() {
    const { state, reason } = await stateNow(db, channel)
    if (!(await noteState(db, channel, state, reason, clock()))) await announceChannel(db, channel)
    if (state === 'synced') synced()
    if (await noteFirstSync(session)) return
    await pause(db, channel, clock())
    throw new LostLease()
  }
}

const marks = ({ status }: Folder) => `${status?.uidValidity} ${status?.uidNext} ${status?.messages} ${status?.unseen}`

const isRefused = (error: unknown) => (error as { responseStatus?: string }).responseStatus === 'NO'

/** What the server reports about the folder that is open, and the end of the connection or of our work. */
function newsOf({ client, signal }: Session) {
  let isWaiting = false
  let next = Promise.withResolvers<void>()
  function happen() {
    isWaiting = true
    next.resolve()
  }
  for (const event of ['exists', 'flags', 'close'] as const) client.on(event, happen)
  // Earlier ones are the answer to our own question.
  client.on('expunge', ({ earlier }) => earlier || happen())
  signal.addEventListener('abort', happen, { once: true })
  return {
    isWaiting: () => isWaiting,
    next: () => next.promise,
    take() {
      const had = isWaiting
      isWaiting = false
      next = Promise.withResolvers<void>()
      return had
    },
  }
}
