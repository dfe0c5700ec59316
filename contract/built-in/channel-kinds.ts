// The kinds of channels and what their messages can have. Without schemas, because every page of the inbox needs it.

export const channelKinds = ['email', 'api', 'telegram', 'sms', 'whatsapp', 'chat'] as const
export type KindOfChannel = (typeof channelKinds)[number]
/** What messages of a channel can have. */
export type ChannelAbilities = {
  html: boolean
  /** Without one, a conversation is a chat: nothing is quoted, nothing is signed, and order matters. */
  subject: boolean
  cc: boolean
  mostText: number
  mostFilesMb: number
  /** What people are reached by. */
  addresses: 'email' | 'phone' | 'handle'
  /** How long a message of the web app can be taken back. */
  undoSeconds: number
  /** Only customers can start a conversation. */
  isAnswerOnly?: true
}
/** Meta's ID for users who hide their phone number: country, a point, and up to 128 characters. */
export const whatsAppUser = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

const chat = { html: false, subject: false, cc: false, undoSeconds: 3 } as const
export const channelAbilities: Record<KindOfChannel, ChannelAbilities> = {
  email: {
    html: true,
    subject: true,
    cc: true,
    mostText: 1_000_000,
    mostFilesMb: 25,
    addresses: 'email',
    undoSeconds: 10,
  },
  api: { ...chat, mostText: 100_000, mostFilesMb: 10, addresses: 'handle' },
  telegram: { ...chat, mostText: 4096, mostFilesMb: 20, addresses: 'handle' },
  sms: { ...chat, mostText: 1600, mostFilesMb: 0, addresses: 'phone' },
  whatsapp: { ...chat, mostText: 4096, mostFilesMb: 16, addresses: 'phone' },
  // Visitors see a message at once, so it cannot be taken back.
  chat: { ...chat, mostText: 4000, mostFilesMb: 0, addresses: 'handle', undoSeconds: 0, isAnswerOnly: true },
}
