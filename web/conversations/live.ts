// Fetches again what open pages show of conversations and channels when the server says that they changed.
import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '../client/live.ts'
import { draftsKey, listKey, threadKey } from './inbox.ts'

/** A mailbox that is read for the first time brings thousands of messages: pages ask for them together. */
const pauseMs = 400

let isSoon = false
const changed = new Set<string>()
let isAnything = false
let areChannels = false
let areDrafts = false

/** Whether the event was about the inbox. */
export function heardOfInbox(client: QueryClient, { event, data }: LiveEvent) {
  if (event.startsWith('channel.')) areChannels = true
  else if (event === 'message_draft.changed') areDrafts = true
  else if (event === 'conversations' || event.startsWith('proposal.')) isAnything = true
  else return false
  for (const id of [data.ids].flat()) if (typeof id === 'string') changed.add(id)
  if (!isSoon) setTimeout(() => fetchAgain(client), pauseMs)
  isSoon = true
  return true
}

function fetchAgain(client: QueryClient) {
  isSoon = false
  const again = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
  if (areChannels) for (const key of ['channels', 'channel']) again(['inbox', key])
  if (areDrafts) again(draftsKey)
  if (isAnything) {
    for (const key of [listKey, ['inbox', 'counts'], ['inbox', 'proposals'], ['inbox', 'context'], draftsKey])
      again(key)
    for (const id of changed) for (const key of [threadKey(id), ['inbox', 'chat', id]]) again(key)
  }
  changed.clear()
  isAnything = false
  areChannels = false
  areDrafts = false
}
