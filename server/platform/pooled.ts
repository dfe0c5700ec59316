// Connections to a transaction pooler such as PgBouncer. Each transaction may run on another connection of the database,
// so statements have no names, and settings are those of the role.
import pg from 'pg'
import { cancelStatement } from './cancel.ts'

/** Keeps the time limit of its pool, because it cannot be set on the connection. */
export class PooledClient extends pg.Client {
  readonly #mostMs: number

  constructor(config?: pg.ClientConfig) {
    super(config)
    this.#mostMs = (config as { statementSeconds: number }).statementSeconds * 1000
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and this passes all of them on.
  override query(...args: any[]): any {
    // The database connection that knows the name is another one next time.
    const { name, submit } = Object(args[0])
    if (name && !submit) args[0] = { ...args[0], name: undefined }
    const timer = setTimeout(() => void cancelStatement(this), this.#mostMs)
    const isOver = () => clearTimeout(timer)
    const last = args.at(-1)
    if (typeof last === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        isOver()
        last(...results)
      }
      return super.query(...(args as [string]))
    }
    const running: unknown = super.query(...(args as [string]))
    if (running instanceof Promise) return running.finally(isOver)
    // A stream of rows tells its end itself, and is limited by the role.
    isOver()
    return running
  }
}
