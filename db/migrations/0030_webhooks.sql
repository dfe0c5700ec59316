-- Webhooks are subscriptions, too. Null: not a webhook. '*': all types, including those added later.
alter table subscriptions
  add column event_types text[],
  -- Whether the filter compares the record after the change or before it.
  add column filter_on text not null default 'after',
  add column skip_bulk boolean not null default false;

-- For webhooks: a change can fire several events.
alter table deliveries add column event_type text;

-- How a webhook sends. What it sends is in the subscription with the same id, and so is whether it is active.
create table webhooks (
  company_id uuid not null references companies (id),
  id uuid not null,
  target_url text not null,
  -- The fields of the record to send; null: all.
  send_fields text[],
  -- Encrypted, because they may contain credentials: an object with the values by name.
  headers bytea,
  header_names text[] not null default '{}',
  is_ordered boolean not null default false,
  secret bytea,
  -- Signs as well until it expires.
  old_secret bytea,
  old_secret_expires_at timestamptz,
  -- Failed attempts since the last success. From the fifth on, one event at a time is tried, not before retry_at.
  failures int not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  last_attempt_at timestamptz,
  last_status int,
  -- The process that sends for it.
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (company_id, id)
);

-- An event on its way to a webhook, kept for 30 days. One that is sent again has a row of its own.
create table webhook_deliveries (
  company_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  event_type text not null,
  -- The place of the event in the history.
  change_set_id uuid not null,
  position int not null,
  object_id uuid not null,
  record_id uuid not null,
  version bigint not null,
  -- Exactly as it is sent.
  body text not null,
  is_replay boolean not null default false,
  is_test boolean not null default false,
  state text not null default 'waiting',
  attempts int not null default 0,
  -- Null: nothing more is going to be sent.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  last_status int,
  last_ms int,
  reason text,
  -- Every attempt: time, request headers, response, reason, next attempt.
  log jsonb not null default '[]',
  primary key (company_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (company_id, webhook_id, next_attempt_at, change_set_id, position)
  where next_attempt_at is not null;
create index webhook_deliveries_of_record on webhook_deliveries (company_id, webhook_id, record_id, version)
  where next_attempt_at is not null;
create index webhook_deliveries_by_webhook on webhook_deliveries (company_id, webhook_id, id);
create index webhook_deliveries_by_event on webhook_deliveries (company_id, webhook_id, event_id, id);
