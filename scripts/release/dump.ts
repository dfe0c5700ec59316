// All rows of a database as readable text, in the COPY format of pg_dump.
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const quote = pg.escapeIdentifier
type Table = { name: string; columns: string[]; key: string[] }

export async function dumpRows(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query("set time zone 'UTC'")
    const tables: string[] = []
    for (const table of await tablesOf(client)) tables.push(await dumpTable(client, table))
    return tables.join('\n')
  } finally {
    await client.end()
  }
}

export async function emptyTables(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const empty: string[] = []
    for (const { name } of await tablesOf(client)) {
      const { rowCount } = await client.query(`select from ${quote(name)} limit 1`)
      if (!rowCount) empty.push(name)
    }
    return empty
  } finally {
    await client.end()
  }
}

async function tablesOf(client: pg.Client) {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name,
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
         where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)) as key
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  )
  return rows
}

async function dumpTable(client: pg.Client, { name, columns, key }: Table) {
  const list = columns.map(quote).join(', ')
  const order = key.length ? ` order by ${key.map(quote).join(', ')}` : ''
  const copy = client.query(copyTo(`copy (select ${list} from ${quote(name)}${order}) to stdout`))
  const rows = Buffer.concat(await Array.fromAsync(copy as AsyncIterable<Buffer>)).toString()
  return rows && `COPY ${name} (${columns.join(', ')}) FROM stdin;\n${rows}\\.\n`
}
