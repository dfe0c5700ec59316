import { AppError } from '../../kernel/app-error.ts'
import { type Offload, workIn } from '../../platform/offload.ts'

/** JSON from outside. PostgreSQL stores no NUL and no half characters. Throws if it is not JSON. */
export const readForeignJson = (body: Uint8Array): unknown =>
  JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(), (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )

/** Larger bodies are read in a thread. */
export const mostReadAtOnce = 64 * 1024
/** No provider posts more at once. It would take long to hand them over from the thread. */
const mostValues = 20_000

const inThread = workIn<typeof readBounded>(new URL('./read-json.ts', import.meta.url), 'readBounded')

/** The object that a provider posted. */
export async function readPostedObject(offload: Offload, company_id: string, body: Buffer): Promise<object> {
  const value = body.length > mostReadAtOnce ? await readLarge(offload, company_id, body) : readBounded(body)
  if (value === 'too_large') throw new AppError('too_large', 'The body has too many values. Send fewer at once.')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('bad_request', 'The body is not a JSON object.')
  return value
}

async function readLarge(offload: Offload, company_id: string, body: Buffer) {
  const copy = new Uint8Array(body)
  const outcome = await offload.run(company_id, inThread, [copy], { moved: [copy.buffer] })
  return 'value' in outcome ? outcome.value : 'too_large'
}

/** Undefined: it is not JSON. */
export function readBounded(body: Uint8Array): unknown {
  try {
    const value = readForeignJson(body)
    return isSmall(value) ? value : 'too_large'
  } catch {
    return undefined
  }
}

function isSmall(value: unknown) {
  const waiting = [value]
  for (let count = 0; waiting.length; count++) {
    if (count > mostValues || waiting.length > mostValues) return false
    const next = waiting.pop()
    if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) waiting.push(one)
  }
  return true
}
