// Changes of conversations: shown at once, taken back if the server refuses, and undone by the notice or by z.
import type { contract } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { queryClient } from '../../../client/queries.ts'
import { type Conversation, listKey, threadKey } from '../../../conversations/inbox.ts'
import { complain } from '../../../ui/basics/notices.tsx'
import { createUndo, inMemory } from '../../../ui/basics/undo.tsx'
import { putBack } from './put-back.ts'
import type { Pages } from './use-conversations.ts'
import type { ThreadPages } from './use-thread.ts'

export type Change = Omit<Input<typeof contract.updateConversations>, 'ids'>

/** For as long as the page is open. */
export const { undoable, undoLast } = createUndo<() => Promise<unknown>>({
  undo: async (way) => {
    await way().catch((error) => complain('This could not be undone', error))
    return true
  },
  nothing: 'Nothing to undo.',
  steps: inMemory(),
})

/** What `before` becomes. */
const changed = (before: Conversation, { add_label_ids = [], remove_label_ids = [], ...change }: Change) => {
  const labels = before.label_ids.filter((id) => !remove_label_ids.includes(id))
  return {
    ...before,
    ...change,
    snoozed_until: change.state ? (change.snoozed_until ?? null) : before.snoozed_until,
    label_ids: [...new Set([...labels, ...add_label_ids])],
  } as Conversation
}

/** What makes the conversation as it was. */
function inverse(before: Conversation, change: Change): Change {
  const had = (id: string) => before.label_ids.includes(id)
  return {
    ...(change.state && { state: before.state }),
    ...(change.state && before.state === 'snoozed' && before.snoozed_until && { snoozed_until: before.snoozed_until }),
    ...(change.assignee_id !== undefined && { assignee_id: before.assignee_id }),
    ...(change.subject !== undefined && { subject: before.subject }),
    ...(change.add_label_ids && { remove_label_ids: change.add_label_ids.filter((id) => !had(id)) }),
    ...(change.remove_label_ids && { add_label_ids: change.remove_label_ids.filter(had) }),
  }
}

type Patch = (one: Conversation) => Conversation

/**
 * Shows a change at once, on top of what is known now, and answers with a way to take it back. `fits` tells which
 * conversations the list on screen still shows.
 */
function showChanged(ids: ReadonlySet<string>, patch: Patch, fits?: (one: Conversation) => boolean) {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: listKey, type: 'active' })
  const next = (page: Pages['pages'][number]) => ({
    ...page,
    items: page.items
      .map((one) => (ids.has(one.id) ? patch(one) : one))
      .filter((one) => !ids.has(one.id) || !fits || fits(one)),
  })
  for (const [key, known] of lists)
    if (known) queryClient.setQueryData<Pages>(key, { ...known, pages: known.pages.map(next) })
  patchThreads(ids, patch)
  return (back: Patch) => {
    for (const [key, known] of lists)
      queryClient.setQueryData<Pages>(key, (now) => (now && known ? putBack(now, known, ids, back) : now))
    // Also threads that are not on screen now, but will be.
    patchThreads(ids, back)
  }
}

function patchThreads(ids: ReadonlySet<string>, patch: Patch) {
  for (const id of ids)
    queryClient.setQueryData<ThreadPages>(
      threadKey(id),
      (old) => old && { ...old, pages: old.pages.map((page) => ({ ...page, conversation: patch(page.conversation) })) },
    )
}

const fetchAgain = () => queryClient.invalidateQueries({ queryKey: ['inbox'] })

async function send(ids: string[], change: Change) {
  for (let from = 0; from < ids.length; from += 100)
    await api.updateConversations({ ids: ids.slice(from, from + 100), ...change })
}

type Options = { said: string; fits?: ((one: Conversation) => boolean) | undefined; onUndone?: () => void }

export async function changeConversations(before: Conversation[], change: Change, options: Options) {
  const was = new Map(before.map((one) => [one.id, one]))
  // What was asked before the change must not arrive after it.
  const asked = [listKey, ...before.map(({ id }) => threadKey(id))]
  await Promise.all(asked.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  const takeBack = showChanged(new Set(was.keys()), (one) => changed(one, change), options.fits)
  const showBefore = () => takeBack((one) => changed(one, inverse(was.get(one.id)!, change)))
  const withdraw = undoable(options.said, async () => {
    const groups = Map.groupBy(before, (one) => JSON.stringify(inverse(one, change)))
    await sent
    for (const [back, some] of groups) {
      await send(
        some.map(({ id }) => id),
        JSON.parse(back),
      )
    }
    showBefore()
    await fetchAgain()
    options.onUndone?.()
  })
  const sent = send([...was.keys()], change)
  try {
    await sent
  } catch (error) {
    withdraw()
    showBefore()
    complain('Nothing was changed', error)
  }
  await fetchAgain()
}

/** Read or unread, for this user. Opening a conversation says nothing. */
export async function markRead(of: Conversation[], is_read: boolean, said?: string) {
  const was = new Map(of.map((one) => [one.id, one.is_unread]))
  const ids = [...was.keys()]
  const takeBack = showChanged(new Set(ids), (one) => ({ ...one, is_unread: !is_read }))
  const withdraw = said && undoable(said, () => markRead(of, !is_read))
  try {
    await api.markConversationsRead({ ids, is_read })
  } catch (error) {
    if (withdraw) withdraw()
    takeBack((one) => ({ ...one, is_unread: was.get(one.id)! }))
    complain('Nothing was changed', error)
  }
  void queryClient.invalidateQueries({ queryKey: ['inbox', 'counts'] })
}

/** A merge or a split, which the server remembers. */
export async function move(
  moving: Promise<{ move_id: string; conversation_id: string }>,
  said: string,
  onUndone: () => void,
) {
  try {
    const { move_id, conversation_id } = await moving
    undoable(said, async () => {
      await api.undoConversationMove({ id: move_id })
      onUndone()
      await fetchAgain()
    })
    await fetchAgain()
    return conversation_id
  } catch (error) {
    complain('Nothing was moved', error)
    return undefined
  }
}
