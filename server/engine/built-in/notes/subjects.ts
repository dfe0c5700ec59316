import { own } from '../../../../contract/shared/own.ts'
import { recordsById } from '../../read/by-id.ts'
import { builtInInUse } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import type { Values } from '../../values/from-row.ts'

/** A reply is about the same records as the note that it answers, unless it says otherwise. */
export async function addSubjects({ context, object }: Target, drafts: Values[]) {
  const [replyTo, about] = ['reply_to', 'about'].map((key) => builtInInUse(object, key)?.key)
  if (object.built_in_key !== 'notes' || !replyTo || !about) return
  const replies = drafts.filter((draft) => draft[replyTo] && draft[about] === undefined)
  if (!replies.length) return
  const notes = await recordsById(context, object, [...new Set(replies.map((draft) => String(draft[replyTo])))])
  for (const draft of replies) draft[about] = own(notes.get(String(draft[replyTo]))?.values ?? {}, about) ?? null
}
