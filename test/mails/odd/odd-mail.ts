import type { Mail } from '../../../server/channels/email/mime/mail.ts'

/** A mail as programs really send it, and what must be read from it. */
export type OddMail = {
  name: string
  source: Buffer
  expected: Partial<Omit<Mail, 'files'>> & {
    files?: { name: string; type?: string; is_inline?: boolean; size?: number }[]
  }
}

const usual = {
  From: 'Ada Lovelace <ada@example.com>',
  To: 'support@kith.example',
  Subject: 'Question',
  Date: 'Mon, 16 Nov 2026 09:14:00 +0100',
  'Message-ID': '<1@example.com>',
}

/** Text is UTF-8, unless `bytes` gives its bytes as characters from 0 to 255. */
export function mail(headers: Record<string, string | null>, body: string | Buffer, lineBreak = '\r\n') {
  const lines = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== null)
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  const rest = typeof body === 'string' ? Buffer.from(body.replaceAll('\n', lineBreak)) : body
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`.replaceAll('\r\n', lineBreak)), rest])
}

export const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Parts separated by the boundary "b". */
export const parts = (...all: string[]) => `${all.map((part) => `--b\n${part}\n`).join('')}--b--\n`

export const multipart = (kind: string) => ({
  'MIME-Version': '1.0',
  'Content-Type': `multipart/${kind}; boundary="b"`,
})
