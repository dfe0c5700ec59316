// Words events of conversations. Without zod, because the web app loads it.
import type { ConversationEvent } from './conversation-events.ts'

/** The predicate of a sentence, e.g. "assigned this to Grace": the subject is the user or rule, if there is one. */
export function eventPhrase(event: ConversationEvent, asTime: (time: string) => string = (time) => time): string {
  switch (event.type) {
    case 'reopened':
      return 'reopened this'
    case 'reopened_by_message':
      return 'reopened by a new message'
    case 'closed':
      return 'closed this'
    case 'marked_as_spam':
      return 'marked this as spam'
    case 'snoozed':
      return `snoozed this until ${asTime(event.until)}`
    case 'assigned':
      return event.user_id === null ? 'unassigned this' : `assigned this to ${event.user_name ?? 'a former user'}`
    case 'label_added':
      return `added the label ${event.label_name}`
    case 'label_removed':
      return `removed the label ${event.label_name}`
    case 'merged':
      return `merged “${event.subject || 'No subject'}” into this`
    case 'split':
      return `moved ${event.message_count === 1 ? 'a message' : `${event.message_count} messages`} to “${event.subject || 'No subject'}”`
    case 'merge_undone':
      return 'undid a merge'
    case 'split_undone':
      return 'undid a split'
    case 'message_cancelled':
      return 'cancelled a message'
    case 'visitor_identified':
      return event.is_verified
        ? `visitor identified as ${event.email}, verified by the site`
        : `visitor gave the address ${event.email}, not verified`
    case 'target_missed':
      return event.target === 'response' ? 'first response target missed' : 'resolution target missed'
  }
}

/** The phrase as a sentence, e.g. "Assigned this to Grace". */
export function eventText(event: ConversationEvent, asTime?: (time: string) => string) {
  const phrase = eventPhrase(event, asTime)
  return `${phrase[0]!.toUpperCase()}${phrase.slice(1)}`
}
