// Reads the source of an email in a thread, because some take long.
import { type Offload, workIn } from '../../platform/offload.ts'
import type { Mail } from './mime/mail.ts'
import { type readHead, type readMail, sourceFile, unreadMail } from './mime/read-mail.ts'

const module = new URL('./mime/read-mail.ts', import.meta.url)
const whole = workIn<typeof readMail>(module, 'readMail')
const head = workIn<typeof readHead>(module, 'readHead')
/** Takes no time, whatever is in them. */
const headBytes = 64_000
/** Three times as long as attachments take. */
const msPerMegabyte = 100

/** If it takes too long, only its first headers are read, and the source becomes its file. */
export async function readSource(offload: Offload, company_id: string, source: Buffer, now: Date): Promise<Mail> {
  const copy = new Uint8Array(source)
  const moreMs = (source.length / 1_000_000) * msPerMegabyte
  const outcome = await offload.run(company_id, whole, [copy, now], { moved: [copy.buffer], moreMs })
  if ('value' in outcome) return outcome.value
  const start = new Uint8Array(source.subarray(0, headBytes))
  const again = await offload.run(company_id, head, [start, now], { moved: [start.buffer] })
  return {
    ...('value' in again ? again.value : unreadMail(source, now)),
    files: [sourceFile(source)],
    notice: 'Only the beginning is shown, because this message took too long to read. The original is attached.',
  }
}
