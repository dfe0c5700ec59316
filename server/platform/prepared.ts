// Names statements that are sent repeatedly, so that PostgreSQL keeps their plan. Makes key look-ups three times faster.
import pg from 'pg'

/** Longer statements are planned each time: on a table with forty indexes, the plan of a long filter takes half a megabyte. */
const longestText = 4000
const usesBeforeNaming = 3
const mostPerConnection = 100
const mostTexts = 1000

const uses = new Map<string, number>()

/** How often this text was sent recently, including this time. */
function countUse(text: string) {
  const count = (uses.get(text) ?? 0) + 1
  uses.delete(text)
  uses.set(text, count)
  if (uses.size > mostTexts) uses.delete(uses.keys().next().value!)
  return count
}

/** Drops the least recently used statement, so that many different filters do not fill the memory. */
export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>()
  #made = 0

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and this passes all of them on.
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(...(args as [string]))
    return super.query({ name: this.#nameOf(text), text, values }, args[2])
  }

  #nameOf(text: string) {
    if (text.length > longestText) return undefined
    const known = this.#names.get(text)
    if (known) {
      this.#names.delete(text)
      this.#names.set(text, known)
      return known
    }
    if (countUse(text) < usesBeforeNaming) return undefined
    if (this.#names.size >= mostPerConnection) this.#dropOldest()
    const name = `s${++this.#made}`
    this.#names.set(text, name)
    return name
  }

  #dropOldest() {
    const [text, name] = this.#names.entries().next().value!
    this.#names.delete(text)
    const { parsedStatements } = (this as unknown as { connection: { parsedStatements: Record<string, string> } })
      .connection
    // Deallocating a statement that PostgreSQL rejected would abort the transaction.
    if (!parsedStatements[name]) return
    delete parsedStatements[name]
    // If the connection has failed, the statement is gone with it.
    super.query(`deallocate ${name}`).catch(() => {})
  }
}
