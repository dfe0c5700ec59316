import { type Headers, header } from './headers.ts'
import type { Automatic, NoReply } from './mail.ts'

/** Whether a machine wrote the message. Such messages are never answered automatically. */
export function automaticOf(headers: Headers, subject: string): Automatic | null {
  if (isAutoReply(headers, subject)) return 'auto_reply'
  if (headers.has('list-id') || headers.has('list-post') || headers.has('mailing-list')) return 'list'
  return isBulk(headers) ? 'bulk' : null
}

/** Why no rule replies to it, although a person may have written it. */
export function noReplyOf(headers: Headers): NoReply | null {
  const wanted = word(headers, 'x-auto-response-suppress')
    .slice(0, 200)
    .split(/[\s,;]+/)
  if (wanted.some((one) => one === 'all' || one === 'oof' || one === 'autoreply')) return 'asked'
  // The first one is that of our own mail server; anyone can add others.
  return /\bdmarc=fail\b/.test(word(headers, 'authentication-results').slice(0, 4000)) ? 'unproven' : null
}

const word = (headers: Headers, name: string) => header(headers, name).trim().toLowerCase()

function isAutoReply(headers: Headers, subject: string) {
  if (word(headers, 'auto-submitted').startsWith('auto-replied')) return true
  // A message without a return path expects no reply.
  if (/^<\s*>$/.test(word(headers, 'return-path'))) return true
  if (['auto_reply', 'autoreply', 'vacation'].includes(word(headers, 'precedence'))) return true
  if (headers.has('x-autoreply') || headers.has('x-autorespond') || headers.has('x-autoreply-from')) return true
  if (word(headers, 'x-auto-response-suppress') === 'all' && headers.has('in-reply-to') && subjects.test(subject))
    return true
  return subjects.test(subject) && word(headers, 'auto-submitted') !== 'no' && headers.has('in-reply-to')
}

/** How mail programs begin the subject of an automatic reply. */
const subjects =
  /^(?:auto(?:matic)? ?-?reply|automatische antwort|automatisk svar|autosvar|réponse automatique|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|odpowiedź automatyczna|automatiskt svar|out of office|abwesenheit|自动答复|自動返信|自动回复)/i

function isBulk(headers: Headers) {
  const submitted = word(headers, 'auto-submitted')
  if (submitted && submitted !== 'no') return true
  if (['bulk', 'junk', 'list'].includes(word(headers, 'precedence'))) return true
  return headers.has('list-unsubscribe') || headers.has('feedback-id') || headers.has('x-campaign-id')
}
