// The texts of the widget. Languages without their own use English.
import { own } from '../../../contract/shared/own.ts'

const english = {
  open: 'Open chat',
  close: 'Close chat',
  message: 'Message',
  placeholder: 'Write a message…',
  send: 'Send',
  email: 'Email address',
  your_name: 'Name',
  start: 'Start chat',
  email_why: 'So that we can reply if you leave.',
  offline: 'No one is here right now. Leave a message, and we will reply by email.',
  left: 'Thank you. We will reply by email.',
  left_here: 'Thank you. You will find our reply here when you come back.',
  typing: 'is writing…',
  team: 'Team',
  you: 'You',
  sending: 'Sending…',
  not_sent: 'Not sent. Trying again…',
  refused: 'This message could not be sent.',
  invalid_email: 'Enter an email address such as ada@example.com',
  unread: '{n} unread',
  connecting: 'Connecting…',
  checking: 'Checking that you are not a robot…',
  log: 'Messages',
}
export type ChatTexts = typeof english

const german: ChatTexts = {
  open: 'Chat öffnen',
  close: 'Chat schließen',
  message: 'Nachricht',
  placeholder: 'Nachricht schreiben…',
  send: 'Senden',
  email: 'E-Mail-Adresse',
  your_name: 'Name',
  start: 'Chat beginnen',
  email_why: 'Damit wir antworten können, wenn Sie die Seite verlassen.',
  offline: 'Gerade ist niemand da. Hinterlassen Sie eine Nachricht, wir antworten per E-Mail.',
  left: 'Vielen Dank. Wir antworten per E-Mail.',
  left_here: 'Vielen Dank. Unsere Antwort finden Sie hier, wenn Sie wiederkommen.',
  typing: 'schreibt…',
  team: 'Team',
  you: 'Sie',
  sending: 'Wird gesendet…',
  not_sent: 'Nicht gesendet. Neuer Versuch…',
  refused: 'Diese Nachricht konnte nicht gesendet werden.',
  invalid_email: 'Bitte eine E-Mail-Adresse wie ada@example.com eingeben',
  unread: '{n} ungelesen',
  connecting: 'Verbindung wird hergestellt…',
  checking: 'Kurze Prüfung, dass Sie kein Roboter sind…',
  log: 'Nachrichten',
}

const all: Record<string, ChatTexts> = { en: english, de: german }

export const textsIn = (language: string) => own(all, language) ?? own(all, language.split('-')[0]!) ?? english
