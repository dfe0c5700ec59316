// Loaded first into the processes that tests start: ends them at a statement that could touch several companies.
import pg from 'pg'
import { sentBy } from '../statements.ts'
import { problemWith } from './watch.ts'

const client = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown }
const { query } = client

client.query = function (...args) {
  const sent = sentBy(args)
  const problem = sent && problemWith(sent.text, sent.values)
  if (problem) {
    process.stderr.write(`A statement ${problem}\n`)
    process.exit(70)
  }
  return query.apply(this, args)
}
