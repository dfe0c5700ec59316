// What is being written. It is saved by itself, so that it outlives a reload and goes on on another device.

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, api } from '../../../client/api.ts'
import { hearConnection, isConnected } from '../../../client/connection.ts'
import { allItems } from '../../../client/pages.ts'
import { useUnsaved } from '../../../client/unsaved.ts'
import { type Draft, draftsKey } from '../../../conversations/inbox.ts'

export type { Draft }

const pauseMs = 700
/** So long someone needs to see that the text is another one than a moment ago. */
const noticeMs = 1500

/** A conversation has one; without a conversation, the newest message that was begun. */
export const draftQuery = (conversation_id: string | null) =>
  queryOptions({
    queryKey: [...draftsKey, conversation_id ?? 'new'],
    queryFn: async ({ signal }): Promise<Draft | null> => {
      const items = await allItems((cursor) =>
        api.listMessageDrafts({ ...(conversation_id && { conversation_id }), cursor }, { signal }),
      )
      return items.find((one) => one.conversation_id === conversation_id) ?? null
    },
  })

export type Begun = Pick<Draft, 'kind' | 'reply_to_id' | 'channel_id' | 'to' | 'cc' | 'bcc' | 'subject'> &
  Partial<Pick<Draft, 'text' | 'files' | 'without_file_ids'>>

/** Not saved yet: version 0. */
export const newDraft = (conversation_id: string | null, begun: Begun): Draft => ({
  id: crypto.randomUUID(),
  conversation_id,
  text: '',
  files: [],
  without_file_ids: [],
  ...begun,
  updated_at: new Date().toISOString(),
  version: 0,
})

export const saveDraft = ({ files, updated_at: _, ...draft }: Draft) =>
  api.saveMessageDraft({ ...draft, file_ids: files.map(({ id }) => id) })

/** `text` counts how often the text was replaced, for editors that keep their own. */
type Kept = { draft: Draft | undefined; text: number }
export type DraftState = ReturnType<typeof useDraft>

export function useDraft(conversation_id: string | null) {
  const client = useQueryClient()
  const query = useQuery(draftQuery(conversation_id))
  const [kept, setKept] = useState<Kept>({ draft: undefined, text: 0 })
  const [state, setState] = useState<'saved' | 'typed' | 'failed'>('saved')
  /** The version of another device, which has another text. */
  const [theirs, setTheirs] = useState<Draft>()
  const latest = useRef(kept)
  const busy = useRef({ isDirty: false, saving: undefined as Promise<void> | undefined })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const replacedAt = useRef(0)
  const tell = useUnsaved({ isKept: true })
  useEffect(() => tell(state !== 'saved'))

  const put = (draft: Draft | undefined, isReplaced = false) => {
    latest.current = { draft, text: latest.current.text + (isReplaced ? 1 : 0) }
    setKept(latest.current)
  }
  const remember = (draft: Draft | null) => client.setQueryData(draftQuery(conversation_id).queryKey, draft)

  /** Answers it as it is then. `isForSending`: it throws unless the server has exactly this draft. */
  const save = async (isForSending = false) => {
    clearTimeout(timer.current)
    await busy.current.saving
    const { draft } = latest.current
    const wasDirty = busy.current.isDirty
    if (!draft || !(wasDirty || (isForSending && draft.version > 0))) return draft
    let refusal: ApiError | undefined
    busy.current.isDirty = false
    busy.current.saving = saveDraft(draft).then(
      (saved) => {
        const now = latest.current.draft
        if (now?.id === draft.id) put({ ...now, version: saved.version })
        remember(saved)
        if (!busy.current.isDirty) setState('saved')
      },
      async (error: unknown) => {
        const status = error instanceof ApiError && error.problem.status
        if (error instanceof ApiError && [404, 409, 422].includes(error.problem.status)) refusal = error
        if (status === 404 && !wasDirty) {
          put(undefined)
          remember(null)
          return
        }
        busy.current.isDirty = true
        setState('failed')
        if (status === 409)
          setTheirs((await client.fetchQuery({ ...draftQuery(conversation_id), staleTime: 0 })) ?? undefined)
        // It was sent or discarded on another device: what was typed here since is a draft of its own.
        const now = latest.current.draft
        if (status === 404 && now?.id === draft.id && draft.version > 0) {
          put({ ...now, id: crypto.randomUUID(), version: 0 })
          touch()
        }
      },
    )
    await busy.current.saving
    busy.current.saving = undefined
    if (isForSending && refusal) throw refusal
    return latest.current.draft
  }

  const touch = () => {
    busy.current.isDirty = true
    setState('typed')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), pauseMs)
  }

  // What another device saved, as long as nothing was typed here.
  const adopt = useEffectEvent((found: Draft | null) => {
    const { draft } = latest.current
    if (busy.current.isDirty || busy.current.saving) return
    if (found && (!draft || found.id !== draft.id || found.version > draft.version)) {
      const isOther = found.text !== draft?.text
      if (draft && isOther) replacedAt.current = Date.now()
      put(found, isOther)
    }
    if (!found && draft && draft.version > 0) put(undefined)
  })
  useEffect(() => {
    if (query.data !== undefined) adopt(query.data)
  }, [query.data])
  const flush = useEffectEvent(() => void save())
  useEffect(() => () => flush(), [])
  useEffect(() => hearConnection(() => isConnected() && flush()), [])

  return {
    draft: kept.draft,
    /** Of the editor: another one begins with another text. */
    textKey: `${kept.draft?.id} ${kept.text}`,
    state,
    theirs,
    isKnown: query.data !== undefined || query.isError,
    begin: (begun: Begun) => put(newDraft(conversation_id, begun), true),
    change: (patch: Partial<Draft>, isReplaced = false) => {
      const { draft } = latest.current
      if (!draft) return
      put({ ...draft, ...patch }, isReplaced)
      touch()
    },
    save,
    /** Another device changed the text so recently that the user may not have seen it. */
    isJustReplaced: () => Date.now() - replacedAt.current < noticeMs,
    /** It was sent, or is not wanted. */
    drop: async (isDiscarded: boolean) => {
      clearTimeout(timer.current)
      busy.current.isDirty = false
      const { draft } = latest.current
      put(undefined)
      setState('saved')
      setTheirs(undefined)
      await busy.current.saving
      remember(null)
      if (isDiscarded && draft?.version) await api.deleteMessageDraft({ id: draft.id }).catch(() => {})
    },
    takeTheirs: () => {
      busy.current.isDirty = false
      setState('saved')
      if (theirs) put(theirs, true)
      setTheirs(undefined)
    },
    keepMine: () => {
      const { draft } = latest.current
      if (draft && theirs) put({ ...draft, id: theirs.id, version: theirs.version })
      setTheirs(undefined)
      busy.current.isDirty = true
      void save()
    },
  }
}
