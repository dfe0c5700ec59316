// Tells users that a text mentions them, and the author of a note that someone replied to it.
import { mentionsIn } from '../../../../contract/shared/mentions.ts'
import { own } from '../../../../contract/shared/own.ts'
import { actorOf } from '../../../kernel/context.ts'
import type { ObjectSchema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'

export function noteMentions({ context, object }: Target, changes: Change[]) {
  const { user_id: me } = actorOf(context)
  for (const { before, after } of changes) {
    if (after.deleted_at) continue
    const about = { object: object.key, record_id: after.id }
    const known = before ? mentionedIn(object, before) : []
    for (const user_id of mentionedIn(object, after))
      if (user_id !== me && !known.includes(user_id)) context.emit('record.mentioned', { ...about, user_id })
    if (!before && repliedTo(object, after)) context.emit('note.replied', about)
  }
}

/** The users whom the long texts of a record mention. */
export const mentionedIn = (object: ObjectSchema, { values }: Stored) => [
  ...new Set(
    object.fields
      .filter(({ type }) => type === 'long_text')
      .flatMap(({ key }) => mentionsIn(String(own(values, key) ?? ''))),
  ),
]

const repliedTo = (object: ObjectSchema, { values }: Stored) =>
  object.built_in_key === 'notes' ? (builtInValue(object, values, 'reply_to') as string | undefined) : undefined
