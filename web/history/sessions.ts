import type { ChangeSet } from './change-sets.ts'

/** What one client did with one key, or a person in the web app, without a long pause. */
export type Session = Pick<ChangeSet, 'api_key_id' | 'api_key_name' | 'client' | 'actor_name'> & {
  id: string
  /** No later one of this client with this key is known. */
  isLatest: boolean
  /** Newest first. */
  sets: ChangeSet[]
}

const pauseMs = 30 * 60_000

/** From change sets, newest first; two clients at work at the same time are two sessions. */
export function sessionsOf(sets: ChangeSet[]): Session[] {
  const sessions: Session[] = []
  const open = new Map<string, Session>()
  for (const set of sets) {
    // Without a key, the client is the browser, which says nothing.
    const client = set.api_key_id ? set.client : null
    const who = `${set.actor_id} ${set.api_key_id} ${client}`
    const last = open.get(who)
    if (last && Date.parse(last.sets.at(-1)!.at) - Date.parse(set.at) <= pauseMs) {
      last.sets.push(set)
      continue
    }
    const { id, api_key_id, api_key_name, actor_name } = set
    const session = { id, api_key_id, api_key_name, client, actor_name, isLatest: !last, sets: [set] }
    open.set(who, session)
    sessions.push(session)
  }
  return sessions
}
