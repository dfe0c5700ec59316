// A conversation of 20,000 messages, as a chat with a busy customer becomes over the years.
import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'

const messages = 20_000
const customer = 'busy@customer.example'

type Place = { company_id: string; channel_id: string }

/** Returns its ID. The channel must exist. */
export async function longConversation(client: pg.Client | pg.Pool, { company_id, channel_id }: Place) {
  const id = randomUUIDv7()
  await client.query(
    `insert into conversations (company_id, id, audience, channel_id, subject, subject_folded, participants,
        participants_folded, preview, last_direction, message_count, created_at, last_message_at, last_in_at)
      values ($1, $2, $1, $3, 'Everything', 'everything', $4, $5, 'How a message begins', 'in', ${messages},
        now() - interval '${messages} minutes', now(), now())`,
    [
      company_id,
      id,
      channel_id,
      JSON.stringify([{ address: customer, name: 'Busy', person_id: null }]),
      `\n${customer}\nbusy\n`,
    ],
  )
  await client.query(
    `insert into messages (company_id, id, conversation_id, audience, channel_id, kind, direction, at, from_address,
        recipients, subject, text, state, key, search)
      select $1, gen_random_uuid(), $2, $1, $3, 'message', case when n % 2 = 0 then 'in' else 'out' end,
        now() - n * interval '1 minute', case when n % 2 = 0 then $4 else 'support@acme.example' end,
        jsonb_build_array(jsonb_build_object('kind', 'to', 'name', null,
          'address', case when n % 2 = 0 then 'support@acme.example' else $4 end)),
        'Everything', repeat('What a customer writes. ', 40), case when n % 2 = 0 then 'received' else 'sent' end,
        'long-' || n, array_to_tsvector(array['everything', 'what', 'customer', 'writes'])
      from generate_series(1, ${messages}) n`,
    [company_id, id, channel_id, customer],
  )
  await client.query('insert into conversation_addresses (company_id, address, conversation_id) values ($1, $2, $3)', [
    company_id,
    customer,
    id,
  ])
  await client.query('vacuum analyze messages')
  return id
}
