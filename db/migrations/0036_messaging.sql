-- Channels that a gateway serves: a program that posts messages and gets outgoing ones. See contract/gateways.ts.
alter table channels
  -- Outgoing messages wait until the gateway fetches them.
  add column is_polled boolean not null default false,
  -- The gateway asked for patience: nothing is sent until then.
  add column retry_at timestamptz,
  add column last_received_at timestamptz,
  add column last_delivered_at timestamptz,
  add column last_error text,
  add column last_error_at timestamptz;

-- The chats of a gateway. Several can be one conversation, after a merge.
create table conversation_threads (
  company_id uuid not null,
  channel_id uuid not null,
  thread text not null,
  conversation_id uuid not null,
  primary key (company_id, channel_id, thread)
);
create index conversation_threads_of on conversation_threads (company_id, conversation_id);

-- Other addresses of a participant, such as the phone number of a handle. People are found by them, too.
alter table conversation_addresses add column is_extra boolean not null default false;

-- What gateways posted, by their ID for it: the second time has no effect and gets the same answer.
create table gateway_posts (
  company_id uuid not null,
  channel_id uuid not null,
  post_id text not null,
  digest bytea not null,
  answer jsonb not null,
  at timestamptz not null,
  primary key (company_id, channel_id, post_id)
);
create index gateway_posts_oldest on gateway_posts (company_id, at);

alter table messages
  add column edited_at timestamptz,
  add column deleted_at timestamptz,
  -- Texts before edits, oldest first.
  add column earlier jsonb not null default '[]',
  -- How often a person had it sent again. A gateway knows it by another ID then.
  add column resends int not null default 0;

-- Outsiders who are typing.
create unlogged table conversation_guests (
  company_id uuid not null,
  conversation_id uuid not null,
  typing_until timestamptz not null,
  primary key (company_id, conversation_id)
);
