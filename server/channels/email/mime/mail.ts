export type Address = { address: string; name: string }

export type MailFile = {
  name: string
  type: string
  content_id: string | null
  /** Shown inside of the message. */
  is_inline: boolean
  content: Uint8Array
}

export type Bounce = {
  /** Who did not get the message. */
  recipient: string | null
  /** The Message-ID of the message that was not delivered. */
  original_id: string | null
  /** False: the server of the sender will try again. */
  is_final: boolean
  reason: string
}

/** `auto_reply`: out of office and the like. `bulk`: sent to many by a machine. Neither is ever answered by Kith. */
export type Automatic = 'auto_reply' | 'list' | 'bulk'

/** `asked`: its sender wants no automatic replies. `unproven`: someone else than its sender may have sent it. */
export type NoReply = 'asked' | 'unproven'

export type Mail = {
  message_id: string | null
  /** The Message-ID, or a hash of what makes the message the same (R5). */
  key: string
  in_reply_to: string[]
  /** Every message that this one names, newest first. */
  references: string[]
  from: Address | null
  reply_to: Address[]
  to: Address[]
  cc: Address[]
  bcc: Address[]
  subject: string
  /** By the clock of the sender. */
  sent_at: Date | null
  text: string
  html: string | null
  files: MailFile[]
  automatic: Automatic | null
  no_reply: NoReply | null
  bounce: Bounce | null
  /** The Message-ID of a message that its reader confirms to have seen. */
  receipt: string | null
  /** Where to unsubscribe from the list that sent it. */
  unsubscribe: string | null
  /** What is missing of it. */
  notice: string | null
  /** Why it is listed among the messages of its channel that could not be read. */
  fault: string | null
}
