// Loaded first into a backup or restore: halts it amid the rows of the table HOLD_COPY, and reports that.
import pg from 'pg'

type Method = (...args: unknown[]) => unknown
/** Of pg-copy-streams: a backup reads rows with `push`, a restore writes them with `_write` and `_writev`. */
type Copy = { text?: string } & Partial<Record<'push' | '_write' | '_writev', Method>>

const client = pg.Client.prototype as unknown as { query: Method }
const { query } = client
const isHeld = ({ text }: Copy) => text?.startsWith('copy ') && text.includes(`"${process.env.HOLD_COPY}"`)

client.query = function (...args) {
  const copy = args[0] as Copy
  if (isHeld(copy)) hold(copy, 'push' in copy ? ['push'] : ['_write', '_writev'])
  return query.apply(this, args)
}

/** After the first rows. Ctrl-C finds the copy going on, as it would without the hold. */
function hold(copy: Copy, names: ('push' | '_write' | '_writev')[]) {
  let calls = 0
  for (const name of names) {
    const method = copy[name]!.bind(copy)
    copy[name] = (...args) => {
      if (++calls !== 2) return method(...args)
      // A process that reads nothing would end.
      const staying = setInterval(() => {}, 1000)
      process.once('SIGINT', () => {
        clearInterval(staying)
        method(...args)
      })
      process.stderr.write('The copy is held.\n')
      return false
    }
  }
}
